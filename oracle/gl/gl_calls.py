"""Names of GL calls: argument names of the known ones, and which calls are draws (notes/formats/gl.md)."""
import re

SIGNATURES = {
    'ActiveTexture': 'texture', 'ClientActiveTexture': 'texture', 'Enable': 'cap', 'Disable': 'cap',
    'BindTexture': 'target texture', 'DeleteTextures': 'n textures',
    'TexImage1D': 'target level internalformat width border format type pixels',
    'TexImage2D': 'target level internalformat width height border format type pixels',
    'TexImage3D': 'target level internalformat width height depth border format type pixels',
    'CopyTexImage1D': 'target level internalformat x y width border',
    'CopyTexImage2D': 'target level internalformat x y width height border',
    'CompressedTexImage1D': 'target level internalformat width border imageSize data',
    'CompressedTexImage2D': 'target level internalformat width height border imageSize data',
    'CompressedTexImage3D': 'target level internalformat width height depth border imageSize data',
    'TexStorage1D': 'target levels internalformat width',
    'TexStorage2D': 'target levels internalformat width height',
    'TexStorage3D': 'target levels internalformat width height depth',
    'uBuild1DMipmaps': 'target internalFormat width format type data',
    'uBuild2DMipmaps': 'target internalFormat width height format type data',
    'uBuild3DMipmaps': 'target internalFormat width height depth format type data',
    'PushAttrib': 'mask', 'PopAttrib': '', 'NewList': 'list mode', 'EndList': '', 'CallList': 'list',
    'CallLists': 'n type lists', 'ListBase': 'base', 'DeleteLists': 'list range', 'Begin': 'mode', 'End': '',
    'UseProgram': 'program', 'UseProgramObject': 'program', 'BindProgramPipeline': 'pipeline',
}
for _k in ('i', 'f', 'iv', 'fv', 'x', 'xv'):
    _p = 'params' if _k[-1] == 'v' else 'param'
    SIGNATURES['TexEnv' + _k] = SIGNATURES['TexParameter' + _k] = 'target pname ' + _p
    SIGNATURES['LightModel' + _k] = SIGNATURES['Fog' + _k] = 'pname ' + _p
SIGNATURES['AlphaFunc'] = SIGNATURES['AlphaFuncx'] = 'func ref'
SIGNATURES['TexParameterIiv'] = SIGNATURES['TexParameterIuiv'] = 'target pname params'
SIGNATURES = {k: tuple(v.split()) for k, v in SIGNATURES.items()}

DRAW = re.compile(r'(Draw(?!Buffer)\w*|MultiDraw\w*|Rect\w*|Bitmap|CopyPixels|EvalMesh\w*)$')
VENDOR = re.compile(r'(ARB|EXT|ATI|NV|SGIX|SGIS|SGI|OES|ATIX|APPLE|MESA|IBM|HP|KHR|AMD|SUN|IMG|INTEL)$')
IMAGE_CALL = re.compile(r'(Copy|Compressed)?TexImage[123]D$|TexStorage[123]D$|uBuild[123]DMipmaps$')


def known_name(name):
    """Maps `glXxxARB` to 'Xxx', and `gluBuild2DMipmaps` to 'uBuild2DMipmaps'. Returns None if that is neither
    a known call nor a draw."""
    if not name.startswith('gl') or not (name[2:3].isupper() or name.startswith('gluBuild')):
        return None
    name = name[2:]
    for candidate in (name, VENDOR.sub('', name)):
        if candidate in SIGNATURES or DRAW.match(candidate):
            return candidate
    return None
