"""The GL state machine of the `gl` and `apitrace` readers (notes/facts/texenv.md 1 to 9, choices.md).

A call is executed by `call(name, args)`. name is without `gl` and vendor suffix. args is the reader's
Arguments object, which evaluates an argument when it is requested, so that only the needed arguments are
evaluated. Errors of GL leave the state unchanged and are counted.
"""
from ..common.numbers import colour_component, colour_from_integer
from ..texenv.state import CLASSIC, COMPARES, Half, State, UNITS, Unit, canonical, nargs
from .gl_attrib import Attributes
from .gl_objects import Context, GLError, IMAGE_UNITS, PRIORITY, Share, TARGET_NAMES, nearest
from .gl_textures import Textures
from .gl_values import (COMBINE_ALPHA, COMBINE_RGB, ENV_MODE, FOG_MODES, FOG_SOURCE, OPERANDS, PNAMES,
                        SOURCES, SUSPENDING)

LIST_NESTING = 64
CAPS = {0x0BC0: 'ALPHA_TEST', 0x0B60: 'FOG', 0x8458: 'COLOR_SUM', 0x0B50: 'LIGHTING'}
CAPS.update(SUSPENDING)


class Machine(Textures, Attributes):
    """All contexts. `on_draw(state)` is called for each draw that yields a state."""

    def __init__(self, on_draw, assume_complete, begin_is_draw):
        self.on_draw, self.assume, self.begin_is_draw = on_draw, assume_complete, begin_is_draw
        self.default = Context(Share())
        self.current = self.default
        self.errors, self.suspended, self.draws = 0, 0, 0
        self.in_list = 0            # nesting depth of CallList
        self.last_list_state = None

    # ---- dispatch

    def call(self, name, args):
        """Executes one call, or adds it to a display list. Returns the GL error's name or None."""
        cx = self.current
        if cx is None:
            return None
        handler = HANDLERS.get(name)
        if handler is None:
            handler = Machine.draw
        if cx.list_name is not None and name not in IMMEDIATE:
            cx.list_body.append((handler, args.frozen(name)))
            if cx.list_mode == 0x1300:
                return None
        try:
            self.run(handler, args)
        except GLError as e:
            self.errors += 1
            return str(e)
        return None

    def run(self, handler, args):
        if self.current.inside_begin and handler not in INSIDE_BEGIN:
            raise GLError('INVALID_OPERATION')
        handler(self, args)

    # ---- draws

    def draw(self, args):
        cx = self.current
        if cx.caps & set(SUSPENDING.values()) or cx.program or cx.pipeline:
            self.suspended += 1
            return
        state = self.snapshot(cx)
        if self.in_list:
            if state == self.last_list_state:
                return
            self.last_list_state = state
        self.draws += 1
        self.on_draw(state)

    def begin(self, args):
        self.draw(args)
        if not self.begin_is_draw:
            self.current.inside_begin = True

    def end(self, args):
        if not self.current.inside_begin:
            raise GLError('INVALID_OPERATION')
        self.current.inside_begin = False

    def snapshot(self, cx):
        units = []
        for n in range(UNITS):
            units.append(self.unit(cx, n))
        fog = (cx.fog_mode, cx.fog_coord) if 'FOG' in cx.caps else None
        colorsum = cx.separate if 'LIGHTING' in cx.caps else 'COLOR_SUM' in cx.caps
        alpha_test = cx.alpha_test if 'ALPHA_TEST' in cx.caps and cx.alpha_test[0] != 'always' else None
        if alpha_test and alpha_test[0] == 'never':
            alpha_test = ('never', 0.0)
        return canonical(State(tuple(units), fog, colorsum, self.assume, alpha_test))

    def unit(self, cx, n):
        target = next((t for t in PRIORITY if t in cx.enabled[n]), None)
        if target is None:
            return None
        depth, shadow, fmt = None, False, 'rgba'
        if not self.assume:
            tex = cx.bound[n][target]
            fmt = tex.base if target != 'cube' else next(iter(tex.faces.values()), None)
            if fmt is None:
                return None
            if fmt == 'depth':
                depth, shadow = tex.depth_mode, tex.compare
                fmt = depth
        e = cx.env[n]
        if e.mode in CLASSIC:
            return Unit(target, fmt, depth, shadow, e.mode, None, None, e.color)
        halves = []
        for h in (0, 1):
            count = nargs(e.mode, e.func[h])
            args = tuple(('T%d' % n if s == 'T' else s, o) for s, o in zip(e.source[h][:count], e.operand[h]))
            halves.append(Half(e.func[h], args, e.scale[h]))
        return Unit(target, fmt, depth, shadow, e.mode, halves[0], halves[1], e.color)

    # ---- selectors, enables

    def active_texture(self, args):
        n = args.enum('texture') - 0x84C0
        if not 0 <= n < IMAGE_UNITS:
            raise GLError('INVALID_ENUM')
        self.current.active = n

    def client_active_texture(self, args):
        if not 0 <= args.enum('texture') - 0x84C0 < UNITS:
            raise GLError('INVALID_ENUM')

    def enable(self, args):
        self.set_cap(args, True)

    def disable(self, args):
        self.set_cap(args, False)

    def set_cap(self, args, on):
        cap, cx = args.enum('cap'), self.current
        if cap in TARGET_NAMES:
            if cx.active >= UNITS:
                raise GLError('INVALID_OPERATION')
            chosen, item = cx.enabled[cx.active], TARGET_NAMES[cap]
        elif cap in CAPS:
            chosen, item = cx.caps, CAPS[cap]
        else:
            return
        if on:
            chosen.add(item)
        else:
            chosen.discard(item)

    # ---- texture environment

    def tex_env(self, args, kind):
        cx = self.current
        target = args.enum('target')
        # TEXTURE_FILTER_CONTROL, POINT_SPRITE: recognised and ignored
        if target in (0x8500, 0x8861):
            return
        if target != 0x2300:
            raise GLError('INVALID_ENUM')
        pname = args.enum('pname')
        if pname == 0x2201:
            if kind[-1] != 'v':
                raise GLError('INVALID_ENUM')
            if cx.active >= UNITS:
                raise GLError('INVALID_OPERATION')
            values = args.vector('params', 4)
            if kind == 'xv':
                values = [v / 65536 for v in values]
            convert = colour_from_integer if kind[0] == 'i' else colour_component
            cx.env[cx.active].color = tuple(convert(v) for v in values)
            return
        if pname not in PNAMES:
            raise GLError('INVALID_ENUM')
        value = args.vector('params', 1)[0] if kind[-1] == 'v' else args.number('param')
        if kind[0] == 'x' and pname in (0x8573, 0x0D1C):        # scales are fixed-point numbers, 65536 is 1
            value = value / 65536
        if cx.active >= UNITS:
            raise GLError('INVALID_OPERATION')
        self.set_env(cx.env[cx.active], *PNAMES[pname], value)

    @staticmethod
    def set_env(env, field, half, slot, value):
        if field == 'scale':
            if value not in (1, 2, 4):
                raise GLError('INVALID_VALUE')
            env.scale[half] = int(value)
            return
        value = nearest(value)
        if field == 'mode':
            table = ENV_MODE
        elif field == 'func':
            table = COMBINE_ALPHA if half else COMBINE_RGB
        elif field == 'source':
            table = SOURCES
            if slot == 3 and value == 1:
                raise GLError('INVALID_ENUM')
        else:
            table = OPERANDS
        got = table.get(value)
        if got is None or (field == 'operand' and half and got[-1] == 'c'):
            raise GLError('INVALID_ENUM')
        if field == 'mode':
            env.mode = got
        elif field == 'func':
            env.func[half] = got
        else:
            getattr(env, field)[half][slot] = got

    def tex_env_scalar_f(self, args):
        self.tex_env(args, 'f')

    def tex_env_scalar_i(self, args):
        self.tex_env(args, 'i')

    def tex_env_vector_f(self, args):
        self.tex_env(args, 'fv')

    def tex_env_vector_i(self, args):
        self.tex_env(args, 'iv')

    def tex_env_scalar_x(self, args):
        self.tex_env(args, 'x')

    def tex_env_vector_x(self, args):
        self.tex_env(args, 'xv')

    # ---- lighting model, fog, programs

    def light_model(self, args):
        if args.enum('pname') != 0x81F8:
            return
        value = nearest(args.vector('params', 1)[0] if args.has('params') else args.number('param'))
        if value not in (0x81F9, 0x81FA):
            raise GLError('INVALID_ENUM')
        self.current.separate = value == 0x81FA

    def fog(self, args):
        pname = args.enum('pname')
        if pname not in (0x0B65, 0x8450):
            return
        value = nearest(args.vector('params', 1)[0] if args.has('params') else args.number('param'))
        table = FOG_MODES if pname == 0x0B65 else FOG_SOURCE
        if value not in table:
            raise GLError('INVALID_ENUM')
        if pname == 0x0B65:
            self.current.fog_mode = table[value]
        else:
            self.current.fog_coord = table[value]

    def alpha_func_x(self, args):
        self.alpha_func(args, 65536)

    def alpha_func(self, args, one=1):
        func, ref = args.enum('func'), args.number('ref') / one
        if not 0x0200 <= func <= 0x0207:
            raise GLError('INVALID_ENUM')
        self.current.alpha_test = (COMPARES[func - 0x0200], colour_component(ref))

    def use_program(self, args):
        self.current.program = args.integer('program')

    def bind_pipeline(self, args):
        self.current.pipeline = args.integer('pipeline')

    # ---- display lists

    def new_list(self, args):
        name, mode, cx = args.integer('list'), args.enum('mode'), self.current
        if name == 0:
            raise GLError('INVALID_VALUE')
        if mode not in (0x1300, 0x1301):
            raise GLError('INVALID_ENUM')
        if cx.list_name is not None:
            raise GLError('INVALID_OPERATION')
        cx.list_name, cx.list_mode, cx.list_body = name, mode, []

    def end_list(self, args):
        cx = self.current
        if cx.list_name is None:
            raise GLError('INVALID_OPERATION')
        cx.share.lists[cx.list_name] = cx.list_body
        cx.list_name = cx.list_body = None

    def call_list(self, args):
        self.play([args.integer('list')])

    def call_lists(self, args):
        count = args.integer('n')
        if count < 0:
            raise GLError('INVALID_VALUE')
        self.play([self.current.list_base + int(x) for x in args.vector('lists', count)])

    def play(self, names):
        if self.in_list >= LIST_NESTING:
            return
        if self.in_list == 0:
            self.last_list_state = None
        self.in_list += 1
        try:
            for name in names:
                for handler, args in self.current.share.lists.get(name, ()):
                    try:
                        self.run(handler, args)
                    except GLError:
                        self.errors += 1
        finally:
            self.in_list -= 1

    def set_list_base(self, args):
        self.current.list_base = args.integer('base')

    def delete_lists(self, args):
        first, count = args.integer('list'), args.integer('range')
        if count < 0:
            raise GLError('INVALID_VALUE')
        lists = self.current.share.lists
        if count < 1 << 16:
            for name in range(first, first + count):
                lists.pop(name, None)
        else:
            for name in [x for x in lists if first <= x < first + count]:
                del lists[name]


M = Machine
HANDLERS = {
    'ActiveTexture': M.active_texture, 'ClientActiveTexture': M.client_active_texture, 'Enable': M.enable,
    'Disable': M.disable, 'TexEnvi': M.tex_env_scalar_i, 'TexEnvf': M.tex_env_scalar_f,
    'TexEnviv': M.tex_env_vector_i,
    'TexEnvfv': M.tex_env_vector_f, 'BindTexture': M.bind_texture, 'DeleteTextures': M.delete_textures,
    'TexImage1D': M.tex_image_1d, 'TexImage2D': M.tex_image_2d, 'TexImage3D': M.tex_image_3d,
    'CopyTexImage1D': M.tex_image_1d, 'CopyTexImage2D': M.tex_image_2d,
    'CompressedTexImage1D': M.tex_image_1d, 'CompressedTexImage2D': M.tex_image_2d,
    'CompressedTexImage3D': M.tex_image_3d,
    'TexStorage1D': M.tex_storage_1d, 'TexStorage2D': M.tex_storage_2d, 'TexStorage3D': M.tex_storage_3d,
    'uBuild1DMipmaps': M.build_1d_mipmaps, 'uBuild2DMipmaps': M.build_2d_mipmaps,
    'uBuild3DMipmaps': M.build_3d_mipmaps,
    'UseProgram': M.use_program, 'UseProgramObject': M.use_program, 'BindProgramPipeline': M.bind_pipeline,
    'PushAttrib': M.push_attrib, 'PopAttrib': M.pop_attrib, 'NewList': M.new_list, 'EndList': M.end_list,
    'CallList': M.call_list, 'CallLists': M.call_lists, 'ListBase': M.set_list_base,
    'DeleteLists': M.delete_lists,
    'Begin': M.begin, 'End': M.end,
}
HANDLERS['TexEnvx'], HANDLERS['TexEnvxv'] = M.tex_env_scalar_x, M.tex_env_vector_x
HANDLERS['TexParameterIiv'] = HANDLERS['TexParameterIuiv'] = M.tex_parameter
for _k in ('i', 'f', 'iv', 'fv', 'x', 'xv'):
    HANDLERS['TexParameter' + _k] = M.tex_parameter
    HANDLERS['LightModel' + _k] = M.light_model
    HANDLERS['Fog' + _k] = M.fog
HANDLERS['AlphaFunc'], HANDLERS['AlphaFuncx'] = M.alpha_func, M.alpha_func_x
IMMEDIATE = {'NewList', 'EndList', 'DeleteLists', 'DeleteTextures', 'ClientActiveTexture', 'TexStorage1D',
             'TexStorage2D',
             'TexStorage3D'}
INSIDE_BEGIN = {M.end, M.call_list, M.call_lists}
