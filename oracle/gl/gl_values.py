"""The meaning of the enumerants of the texture environment (notes/facts/texenv.md 3 to 6)."""

ENV_MODE = {0x1E01: 'replace', 0x8062: 'replace', 0x2100: 'modulate', 0x2101: 'decal', 0x0BE2: 'blend',
            0x0104: 'add',
            0x8570: 'combine', 0x8503: 'combine4'}
COMBINE_ALPHA = {0x1E01: 'replace', 0x2100: 'modulate', 0x0104: 'add', 0x8574: 'add_signed',
                 0x8575: 'interpolate',
                 0x84E7: 'subtract', 0x8744: 'modulate_add', 0x8745: 'modulate_signed_add',
                 0x8746: 'modulate_subtract'}
COMBINE_RGB = dict(COMBINE_ALPHA)
COMBINE_RGB.update({0x86AE: 'dot3_rgb', 0x86AF: 'dot3_rgba', 0x8740: 'dot3_rgb_ext', 0x8741: 'dot3_rgba_ext'})
SOURCES = {0x1702: 'T', 0x8576: 'C', 0x8577: 'F', 0x8578: 'P', 0: '0', 1: '1'}
SOURCES.update({0x84C0 + i: 'T%d' % i for i in range(8)})
OPERANDS = {0x0300: 'c', 0x0301: '~c', 0x0302: 'a', 0x0303: '~a'}
DEPTH_MODE = {0x1909: 'luminance', 0x8049: 'intensity', 0x1906: 'alpha', 0x1903: 'red'}
COMPARE = {0: False, 0x884E: True}
FOG_MODES = {0x2601: 'linear', 0x0800: 'exp', 0x0801: 'exp2'}
FOG_SOURCE = {0x8451: True, 0x8452: False}
# Capabilities that disable fixed-function texturing.
SUSPENDING = {0x8804: 'FRAGMENT_PROGRAM', 0x8870: 'FRAGMENT_PROGRAM_NV', 0x8920: 'FRAGMENT_SHADER',
              0x8522: 'REGISTER_COMBINERS',
              0x86DE: 'TEXTURE_SHADER'}
ATTRIB = {'LIGHTING': 0x40, 'FOG': 0x80, 'COLOR_BUFFER': 0x4000, 'ENABLE': 0x2000, 'TEXTURE': 0x40000}

# pname -> (field, half: 0 rgb 1 alpha, slot)
PNAMES = {0x2200: ('mode', 0, 0), 0x8571: ('func', 0, 0), 0x8572: ('func', 1, 0), 0x8573: ('scale', 0, 0),
          0x0D1C: ('scale', 1, 0)}
for _slot in range(4):
    PNAMES[0x8580 + _slot] = ('source', 0, _slot)
    PNAMES[0x8588 + _slot] = ('source', 1, _slot)
    PNAMES[0x8590 + _slot] = ('operand', 0, _slot)
    PNAMES[0x8598 + _slot] = ('operand', 1, _slot)
