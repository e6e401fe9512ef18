"""Objects of the GL state machine: textures, contexts, share groups."""
from ..texenv.state import BLACK, UNITS

TARGET_NAMES = {0x0DE0: '1d', 0x0DE1: '2d', 0x84F5: 'rect', 0x806F: '3d', 0x8513: 'cube'}
PRIORITY = ('cube', '3d', 'rect', '2d', '1d')           # notes/facts/texenv.md 1
IMAGE_UNITS = 32        # units that ActiveTexture accepts; only the first 8 have an environment


class GLError(Exception):
    """Raised for a call that is an error in GL; the argument is the error's name."""


def nearest(value):
    """Rounds a float for an enumerated parameter to the nearest integer (choices.md)."""
    if isinstance(value, float):
        if value != value or abs(value) > 1e15:
            return -1
        return int(value + 0.5) if value >= 0 else -int(0.5 - value)
    return value


class Texture:
    """One texture object; `base` is the base format of the level 0 image, None while there is none."""

    def __init__(self, target):
        self.target = target
        self.base = None
        self.faces = {}
        self.depth_mode = 'luminance'
        self.compare = False
        self.immutable = False


class Env:
    """The texture environment of one unit, initial values of notes/facts/texenv.md 6."""

    def __init__(self):
        self.mode = 'modulate'
        self.color = BLACK
        self.func = ['modulate', 'modulate']
        self.source = [['T', 'P', 'C', '0'], ['T', 'P', 'C', '0']]
        self.operand = [['c', 'c', 'a', '~c'], ['a', 'a', 'a', '~a']]
        self.scale = [1, 1]

    def copy(self):
        new = Env.__new__(Env)
        new.mode, new.color, new.func, new.scale = self.mode, self.color, self.func[:], self.scale[:]
        new.source = [x[:] for x in self.source]
        new.operand = [x[:] for x in self.operand]
        return new


class Share:
    """The objects that the contexts of one share group have in common."""

    def __init__(self):
        self.textures = {}
        self.lists = {}


class Context:
    """One GL context."""

    def __init__(self, share):
        self.share = share
        self.active = 0
        self.enabled = [set() for _ in range(UNITS)]
        self.defaults = {t: Texture(t) for t in TARGET_NAMES.values()}
        self.bound = [dict(self.defaults) for _ in range(IMAGE_UNITS)]
        self.names = [dict.fromkeys(self.defaults, 0) for _ in range(IMAGE_UNITS)]
        self.env = [Env() for _ in range(UNITS)]
        self.caps = set()  # enabled capabilities: FOG, COLOR_SUM, LIGHTING, and those of programs
        self.fog_mode, self.fog_coord = 'exp', False
        self.alpha_test = ('always', 0.0)
        self.separate = False
        self.program = self.pipeline = 0
        self.stack = []
        self.list_name, self.list_base, self.list_mode, self.list_body = None, 0, 0, None
        self.inside_begin = False
