"""Texture objects, images and parameters: the part of the GL state machine that determines which texture a
unit samples (notes/facts/texenv.md 2)."""
from ..common.errors import InputError
from .gl_objects import GLError, IMAGE_UNITS, TARGET_NAMES, Texture, nearest
from .gl_values import COMPARE, DEPTH_MODE
from .texformats import BASE_FORMATS

IMAGE_TARGET = dict(TARGET_NAMES)
IMAGE_TARGET.update({0x8515 + i: 'cube' for i in range(6)})
DIMENSIONS = {'1d': 1, '2d': 2, 'rect': 2, 'cube': 2, '3d': 3}


def known(args, key):
    try:
        args.integer(key)
    except (InputError, KeyError):
        return False
    return True


def size(args, key):
    """Returns the size of an image; 1 if it is not a constant or missing in the trace."""
    return args.integer(key) if known(args, key) else 1


class Textures:
    """The methods of Machine for textures."""

    def bind_texture(self, args):
        target = TARGET_NAMES.get(args.enum('target'))
        if target is None:
            raise GLError('INVALID_ENUM')
        if self.assume:
            return
        self.bind(self.current.active, target, args.integer('texture'))

    def bind(self, unit, target, name):
        cx = self.current
        if name == 0:
            texture = cx.defaults[target]
        else:
            texture = cx.share.textures.get(name)
            if texture is None:
                texture = cx.share.textures[name] = Texture(target)
            elif texture.target != target:
                raise GLError('INVALID_OPERATION')
        cx.bound[unit][target] = texture
        cx.names[unit][target] = name

    def delete_textures(self, args):
        if self.assume:
            return
        count = args.integer('n')
        if count < 0:
            raise GLError('INVALID_VALUE')
        cx = self.current
        for name in args.vector('textures', count):
            texture = cx.share.textures.pop(int(name), None)
            if texture is None or name == 0:
                continue
            for unit in range(IMAGE_UNITS):
                if cx.bound[unit][texture.target] is texture:
                    cx.bound[unit][texture.target] = cx.defaults[texture.target]
                    cx.names[unit][texture.target] = 0

    def tex_image(self, args, dimensions):
        number = args.enum('target')
        if 0x8063 <= number <= 0x8064 or number in (0x8070, 0x851B, 0x84F7):         # proxy targets
            return
        target = IMAGE_TARGET.get(number)
        if target is None or number == 0x8513 or DIMENSIONS[target] != dimensions:
            raise GLError('INVALID_ENUM')
        level = args.integer('level')
        # OES_compressed_paletted_texture: level -n means level 0 followed by n more levels
        if 0x8B90 <= args.enum('internalformat') <= 0x8B99 and level < 0:
            level = 0
        if level < 0 or (target == 'rect' and level > 0):
            raise GLError('INVALID_VALUE')
        sizes = [size(args, k) for k in ('width', 'height', 'depth')[:dimensions]]
        if min(sizes) < 0 or (target == 'cube' and sizes[0] != sizes[1]
                              and all(known(args, k) for k in ('width', 'height'))):
            raise GLError('INVALID_VALUE')
        if args.has('border') and args.integer('border') not in ((0,) if target == 'rect' else (0, 1)):
            raise GLError('INVALID_VALUE')
        base = BASE_FORMATS.get(args.enum('internalformat'))
        if base is None:
            raise GLError('INVALID_VALUE')
        if base == 'depth' and target == '3d':
            raise GLError('INVALID_OPERATION')
        texture = self.current.bound[self.current.active][target]
        if texture.immutable:
            raise GLError('INVALID_OPERATION')
        if level == 0:
            self.set_image(texture, number, base if min(sizes) > 0 else None)

    @staticmethod
    def set_image(texture, number, base):
        if texture.target == 'cube':
            texture.faces.pop(number, None)
            if base:
                texture.faces[number] = base
        else:
            texture.base = base

    def build_mipmaps(self, args, dimensions):
        """gluBuild?DMipmaps: builds all levels by scaling; the sizes must be positive."""
        number = args.enum('target')
        if 0x8063 <= number <= 0x8064 or number in (0x8070, 0x851B, 0x84F7):
            return
        target = IMAGE_TARGET.get(number)
        if target is None or number == 0x8513 or DIMENSIONS[target] != dimensions:
            raise GLError('INVALID_ENUM')
        base = BASE_FORMATS.get(args.enum('internalFormat'))
        if base is None or min(size(args, k) for k in ('width', 'height', 'depth')[:dimensions]) < 1:
            raise GLError('INVALID_VALUE')
        texture = self.current.bound[self.current.active][target]
        if texture.immutable:
            raise GLError('INVALID_OPERATION')
        self.set_image(texture, number, base)

    def build_1d_mipmaps(self, args):
        self.build_mipmaps(args, 1)

    def build_2d_mipmaps(self, args):
        self.build_mipmaps(args, 2)

    def build_3d_mipmaps(self, args):
        self.build_mipmaps(args, 3)

    def tex_image_1d(self, args):
        self.tex_image(args, 1)

    def tex_image_2d(self, args):
        self.tex_image(args, 2)

    def tex_image_3d(self, args):
        self.tex_image(args, 3)

    def tex_storage(self, args, dimensions):
        number = args.enum('target')
        if number in (0x8063, 0x8064, 0x8070, 0x851B, 0x84F7):
            return
        target = TARGET_NAMES.get(number)
        if target is None or DIMENSIONS[target] != dimensions:
            raise GLError('INVALID_ENUM')
        sizes = [size(args, k) for k in ('width', 'height', 'depth')[:dimensions]]
        if args.integer('levels') < 1 or min(sizes) < 1:
            raise GLError('INVALID_VALUE')
        base = BASE_FORMATS.get(args.enum('internalformat'))
        if base is None:
            raise GLError('INVALID_ENUM')
        cx = self.current
        texture = cx.bound[cx.active][target]
        if texture.immutable or texture is cx.defaults[target]:
            raise GLError('INVALID_OPERATION')
        texture.immutable = True
        for face in (range(0x8515, 0x851B) if target == 'cube' else (number,)):
            self.set_image(texture, face, base)

    def tex_storage_1d(self, args):
        self.tex_storage(args, 1)

    def tex_storage_2d(self, args):
        self.tex_storage(args, 2)

    def tex_storage_3d(self, args):
        self.tex_storage(args, 3)

    def tex_parameter(self, args):
        target = TARGET_NAMES.get(args.enum('target'))
        if target is None:
            raise GLError('INVALID_ENUM')
        pname = args.enum('pname')
        if pname not in (0x884B, 0x884C):
            return
        value = nearest(args.vector('params', 1)[0] if args.has('params') else args.number('param'))
        texture = self.current.bound[self.current.active][target]
        if pname == 0x884B:
            if value not in DEPTH_MODE:
                raise GLError('INVALID_ENUM')
            texture.depth_mode = DEPTH_MODE[value]
        else:
            if value not in COMPARE:
                raise GLError('INVALID_ENUM')
            texture.compare = COMPARE[value]
