"""Checks that ARB programs printed by texenvc compute exactly the colours of the programs that it read, by
the oracle, and use few temporaries.

usage: arbfp_temps.py [--seed N] [--count N]
"""
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from tests.shared import tool


from oracle.lang import arb_run, arb_text  # noqa: E402
from oracle.lang.arb_inputs import Inputs  # noqa: E402

CHECKS = tool.Checks("arbfp_temps")
compared = 0
# Most temporaries allowed for each program of glamor. With one whole register for each live value, in program
# order, they would need 13, 7, 12 and 6.
GLAMOR = {("88", "index"): 10, ("88", "direct"): 4, ("82", "index"): 10, ("82", "direct"): 4}


def temporaries(text):
    declared = re.search(r"^TEMP (r0.*);", text, re.M)
    return declared.group(1).count("r") if declared else 0


def same(name, before, after, seeds):
    """Checks that two programs give equal colours; a component that is undefined in `before` may have any
    value in `after`."""
    a, b = arb_text.parse(before), arb_text.parse(after)
    for seed in seeds:
        one, two = (arb_run.evaluate(p, Inputs(seed)) for p in (a, b))
        verdict = arb_run.Verdict()
        arb_run.compare(verdict, one, two)
        global compared
        compared += verdict.compared
        CHECKS.check(not verdict.difference, f"{name}, inputs {seed}: {verdict.difference}\n{before}\n{after}")


class Generator:
    """Generates programs of masked writes and swizzles over a few registers; each register is written before
    it is read."""

    PLAIN = {"MOV": 1, "ADD": 2, "MUL": 2, "MAD": 3, "SUB": 2, "MIN": 2, "MAX": 2, "CMP": 3, "LRP": 3, "SGE": 2,
             "SLT": 2, "ABS": 1, "FRC": 1, "FLR": 1}
    DOTS = {"DP3": 2, "DP4": 2, "DPH": 2}
    PLACED = {"XPD": 2, "DST": 2}

    def __init__(self, rng):
        self.rng = rng
        self.registers = {f"t{i}": set() for i in range(rng.randint(2, 7))}

    def channels(self, name, n):
        known = self.registers.get(name, {0, 1, 2, 3})
        return [self.rng.choice(sorted(known)) for _ in range(n)]

    def operand(self):
        names = [n for n in self.registers if self.registers[n]]
        if names and self.rng.random() < .75:
            name = self.rng.choice(names)
        else:
            name = self.rng.choice(["fragment.color", "program.local[1]", "program.env[0]", "fragment.texcoord[2]",
                                    "{1, 2, -3, 0.25}"])
        sign = self.rng.choice(["", "", "-"])
        style = self.rng.random()
        if style < .3 and self.registers.get(name, {0, 1, 2, 3}) == {0, 1, 2, 3}:
            return sign + name
        swizzle = self.channels(name, 1 if style < .5 else 4)
        return sign + name + "." + "".join("xyzw"[c] for c in swizzle)

    def destination(self, full=False):
        name = self.rng.choice(sorted(self.registers))
        mask = sorted(self.rng.sample(range(4), self.rng.choice([1, 1, 1, 2, 2, 3, 4])))
        if full:
            mask = [c for c in mask if c < 3] or [0]
        return name, mask

    def instruction(self):
        rng = self.rng
        kind = rng.random()
        table = self.PLAIN if kind < .75 else self.DOTS if kind < .88 else self.PLACED
        if kind > .95:
            name, mask = self.destination()
            line = f"TEX {self.mask(name, mask)}, fragment.texcoord[{rng.randrange(2)}], texture[0], 2D;"
        else:
            op = rng.choice(sorted(table))
            arguments = ", ".join(self.operand() for _ in range(table[op]))
            name, mask = self.destination(op == "XPD")
            line = f"{op}{rng.choice(['', '', '_SAT'])} {self.mask(name, mask)}, {arguments};"
        self.registers[name] |= set(mask)
        return line

    @staticmethod
    def mask(name, mask):
        return name + ("" if len(mask) == 4 else "." + "".join("xyzw"[c] for c in mask))

    def program(self, length):
        lines = ["!!ARBfp1.0", "TEMP " + ", ".join(sorted(self.registers)) + ";"]
        lines += [self.instruction() for _ in range(length)]
        out = self.operand()
        return "\n".join(lines + [f"MOV result.color, {out};", "END", ""])


def convert(folder, texts, level):
    paths = []
    for i, text in enumerate(texts):
        paths.append(os.path.join(folder, f"{i:05d}.arbfp"))
        with open(paths[-1], "w") as f:
            f.write(text)
    out = os.path.join(folder, f"out{level}")
    run = tool.Run(["convert", "--to", "arbfp", f"-O{level}", "-q", "-o", out + os.sep] + paths)
    CHECKS.check(run.status == 0, f"status {run.status}: {run.err[:600]}")
    names = sorted(os.listdir(out))
    CHECKS.check(len(names) == len(texts), f"{len(names)} texts of {len(texts)}")
    return [open(os.path.join(out, name)).read() for name in names]


def main():
    arguments = sys.argv[1:]

    def option(name, default):
        return int(arguments[arguments.index(name) + 1]) if name in arguments else default
    rng = random.Random(option("--seed", 1))
    texts = [Generator(rng).program(rng.choice([5, 10, 20, 40, 80])) for _ in range(option("--count", 60))]
    for level in (0, 2):
        with tempfile.TemporaryDirectory() as folder:
            for i, (before, after) in enumerate(zip(texts, convert(folder, texts, level))):
                same(f"program {i} -O{level}", before, after, (1, 2, 3))
    for (shader, form), most in GLAMOR.items():
        text = subprocess.run([sys.executable, os.path.join(tool.TOP, "tests", "arbfp", "glamor.py"), shader, form],
                              capture_output=True, text=True, check=True).stdout
        with tempfile.TemporaryDirectory() as folder:
            after = convert(folder, [text], 2)[0]
        CHECKS.check(temporaries(after) <= most, f"glamor {shader} {form}: {temporaries(after)} temporaries")
        same(f"glamor {shader} {form}", text, after, (1, 2))
    CHECKS.check(compared > 100, "too little is defined")
    CHECKS.finish(f", {compared} channels compared")


if __name__ == "__main__":
    main()
