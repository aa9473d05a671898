"""What the symbols of printed tables mean, and which measures the tables compare."""

# Of LQ'21, and of the part of ACL'21 about quantification.
SIX = ("NMD", "RSNOD", "RNOD", "NVD", "RNSS", "JSD")
# Of DNKT, in the order of its tables.
NINE = ("NMD", "RNADW", "RNOD", "RNADW2", "RNOD2", "NVD", "RNSS", "JSD", "DNKT")

WORST = {symbol: 8 - place for place, symbol in enumerate("♯♭♠♣♥♦‡†")} | {"blank": 0}
OUTPERFORMED = {
    "†": "NMD",
    "♣": "RNADW",
    "♡": "RNOD",
    "♠": "RNADW2",
    "⋄": "RNOD2",
    "*": "NVD",
    "⋆": "RNSS",
    "♮": "JSD",
    "∘": "DNKT",
    "◯": "DNKT_JSD",
    "△": "DNKT_NMD",
    "∇": "DNKT_RNOD",
}
