"""stub"""
RULES="x"
RULINGS=()
