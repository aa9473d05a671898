"""What the symbols of printed tables mean."""

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
