#!/usr/bin/env bash
# An organiser's afternoon, from a table of ratings to a competition: bash afternoon.sh NEW_FOLDER
set -euo pipefail
examples=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && cd "$1"

# Three people and two models have rated ten answers. The people's median becomes gold.
ordbook convert "$examples/ratings/ratings.csv" my-task --annotators Ada,Ben,Eve --gold median --runs bold,careful
ordbook check my-task
ordbook score my-task --out results
ordbook report my-task --out report.html

# A competition: upload competition/bundle.zip to Codabench.
ordbook bundle my-task --out competition --start 2027-03-01T00:00Z --end 2027-04-01T00:00Z

# A participant takes the starting kit, and checks a file before sending it.
cp -r competition/bundle/starting_kit kit
cp my-task/runs/careful.csv my_answers.csv
ordbook check my_answers.csv --sample kit/sample.csv

# Codabench scores it: these are its folders.
mkdir -p app/input/res app/output
cp -r competition/bundle/scoring_program app/program
cp -r competition/bundle/reference_data app/input/ref
cp my_answers.csv app/input/res
python3 app/program/scoring.py app/input app/output
cat app/output/scores.json
