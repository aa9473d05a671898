"""What the symbols of printed tables mean.

Contents
--------
WORST          ACL'21 Tables 3, 6 and 9: symbol -> how many of the worst measures are outperformed
OUTPERFORMED   DNKT Tables 25 to 27: symbol -> the measure that is outperformed
"""

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
