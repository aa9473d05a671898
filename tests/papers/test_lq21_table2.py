"""LQ'21 Table 2: the data sets, as far as they are in the catalogue."""

import ordbook as ob

NUMBERS = ["#Ordinal classes", "Test data sample size", "#Runs used"]
STC3 = "STC-3 DQ-{A, E, S}"


def test_classes_topics_and_runs(no_raw_files):
    ours = {}
    for row, name in {"Sem16T4E": "sem16t4e", "Sem17T4E": "sem17t4e", STC3: "stc3-dq-a"}.items():
        task = ob.load(name)
        ours[row, NUMBERS[0]] = len(task.classes)
        ours[row, NUMBERS[1]] = len(task.topics)
    ours["Sem16T4E", NUMBERS[2]] = len(ob.load("sem16t4e").runs)
    compared = ob.compare("lq21", "2", ours, columns=NUMBERS)
    assert compared.counts() == {"exact": 7, "follows": 5}


def test_the_three_scores_of_stc3_are_of_one_size(no_raw_files):
    sizes = {
        (len(task.classes), len(task.topics))
        for task in (ob.load(f"stc3-dq-{letter}") for letter in "aes")
    }
    assert sizes == {(5, 390)}
