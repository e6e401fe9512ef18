#!/usr/bin/env python3
"""Runs piglit under libtexenv-shim.so: its texture-environment tests with every fixed-function draw replaced
by a generated program, and its tests of GL_ATI_fragment_shader on a GL without that extension.

usage: shim_piglit.py SHIM [long|vertex|vertex-long]        77: piglit is not there

A test counts only if it passes without the shim, passes with it, and the shim replaced every draw except for
the reasons listed here; a deliberately wrong translation must make it fail. Each test runs with two of the
three languages in turn, those of GL_ATI_fragment_shader with one; with `long` with all and at full length.
vertex: the vertex half is replaced as well, and deliberately wrong translations of it are tested."""
import os
import re
import subprocess
import sys

SHIM = os.path.abspath(sys.argv[1])
FOLDERS = ['/usr/lib/%s/piglit/bin' % t for t in ('x86_64-linux-gnu', 'aarch64-linux-gnu', 'i386-linux-gnu',
                                                  'arm-linux-gnueabihf')] + ['/usr/lib/piglit/bin']
LANGUAGES = ('atifs', 'arbfp', 'glsl')
ALL = {}
# language: the greatest number of draws that the shim may pass on to GL's fixed function (None: any number),
# and the reason that it must give
FLAT = {'arbfp': (None, 'flat shading')}
# piglit test; draws that the shim may pass on, by language; languages whose wrong translation the test must
# notice (with ATI shaders, GL itself computes fog)
TESTS = [
    (['ext_texture_env_combine-combine', '--quick'], {'atifs': (2, 'there are only r0..r5')}, LANGUAGES),
    (['nv_texture_env_combine4-combine'], ALL, LANGUAGES),
    # this test reads no pixels back, since a person is meant to look at the picture; so it cannot fail
    (['crossbar'], ALL, ()),
    (['gl-1.3-texture-env'], FLAT, ('atifs', 'glsl')),
    (['fog-modes'], ALL, ('arbfp', 'glsl')),
    (['ext_fog_coord-modes'], ALL, ('arbfp', 'glsl')),
    (['two-sided-lighting-separate-specular'], ALL, LANGUAGES),
    (['nv_fog_distance-fog-coord'], ALL, ('arbfp', 'glsl')),
]
LONG = [(['ext_texture_env_combine-combine'], {'atifs': (2, 'there are only r0..r5')}, LANGUAGES)]

# With TEXENV_SHIM_VERTEX=1: the reason for which the vertex half may stay fixed function (which must occur at
# some draw), and whether the test must notice a wrong translation of the vertex half.
CLIP, MATERIALS = 'user clip planes', 'materials are set between Begin and End'
VERTEX = [
    (['texgen'], None, True),
    (['gl-1.0-texgen'], None, True),
    (['fog-modes'], None, True),
    (['ext_fog_coord-modes'], None, True),
    (['two-sided-lighting'], None, True),
    (['two-sided-lighting-separate-specular'], None, True),
    (['gl-1.0-spot-light'], None, True),
    (['gl-1.2-rescale-normal'], None, True),
    (['gl-1.1-color-material-array'], None, True),
    (['gl-1.0-dlist-materials'], MATERIALS, False),
    (['gl-1.0-user-clip-all-planes'], CLIP, False),
]
VERTEX_LONG = [
    (['infinite-spot-light'], None, True),
    (['nv_fog_distance-fog-coord'], None, True),
    (['nv_fog_distance-simple-draw'], 'fog of another distance', False),
    # not noticed: where a wrong translation does not track the colour, it uses the material's last value
    (['dlist-color-material'], None, False),
    (['draw-arrays-colormaterial'], None, False),
    (['gl-1.1-color-material-unused-normal-array'], None, True),
    (['gl-1.5-normal3b3s-invariance'], None, True),
    (['arb_point_parameters-point-attenuation'], None, True),
    (['arb_point_sprite-checkerboard'], None, False),
    (['point-line-no-cull'], None, False),
    (['user-clip'], CLIP, False),
    (['clip-plane-transformation', 'fixed'], CLIP, False),
]

checks = failures = 0


def check(ok, message):
    global checks, failures
    checks += 1
    if not ok:
        failures += 1
        print('failed:', message)


def run(folder, command, timeout, **more):
    """Runs a test; returns (result, output)."""
    environment = dict(os.environ, PIGLIT_PLATFORM='surfaceless_egl', LIBGL_ALWAYS_SOFTWARE='1',
                       EGL_LOG_LEVEL='fatal', **more)
    environment.setdefault('GALLIUM_DRIVER', 'softpipe')
    try:
        done = subprocess.run([os.path.join(folder, command[0])] + command[1:] + ['-auto', '-fbo'],
                             capture_output=True, text=True, errors='replace',
                             timeout=timeout, env=environment)
    except subprocess.TimeoutExpired:
        return 'timeout', ''
    text = done.stdout + done.stderr
    result = re.search(r'PIGLIT: \{"result": "(\w+)"', text)
    return result.group(1) if result else 'none', text


def piglit(folder, command, timeout, **more):
    """Runs a test with the shim; returns (result, draws seen, replaced, [(count, reason)])."""
    result, text = run(folder, command, timeout, **more)
    seen = re.search(r'draws seen (\d+), replaced (\d+)', text)
    reasons = [(int(n), reason) for n, reason in re.findall(r'shim:   passed on (\d+): (.*)', text)]
    draws, replaced = (int(seen.group(1)), int(seen.group(2))) if seen else (0, 0)
    return result, draws, replaced, reasons


def one_test(folder, command, allowed, sabotage, languages, timeout=200):
    name = ' '.join(command)
    if piglit(folder, command, timeout)[0] != 'pass':
        print('%-45s does not pass by itself on this GL: left out' % name)
        return
    for language in languages:
        result, seen, replaced, reasons = piglit(folder, command, timeout, LD_PRELOAD=SHIM,
                                                 TEXENV_SHIM=language)
        most, reason = allowed.get(language, (0, ''))
        passed = sum(n for n, _ in reasons)
        print('%-45s %-6s %s, %d draws, %d replaced%s' % (name, language, result, seen, replaced,
                                                          ''.join('; %d: %s' % r for r in reasons)))
        check(result == 'pass', '%s by %s: %s' % (name, language, result))
        check(seen > 0 and replaced + passed == seen, '%s by %s: %d draws seen, %d replaced, %d explained'
              % (name, language, seen, replaced, passed))
        check(most is None or passed <= most, '%s by %s: %d draws passed on' % (name, language, passed))
        check(all(reason and reason in text for _, text in reasons), '%s by %s: passed on for %s'
              % (name, language, reasons))
        if language in sabotage:
            result = piglit(folder, command, timeout, LD_PRELOAD=SHIM, TEXENV_SHIM=language,
                            TEXENV_SHIM_SABOTAGE='1')[0]
            check(result == 'fail', '%s by %s, translated wrongly on purpose: %s' % (name, language, result))


def vertex_test(folder, command, allowed, noticed, languages):
    """Replaces vertex halves by vertex programs: the test must pass as without, and every vertex half of a
    replaced draw must be a program or be left for the allowed reason."""
    name = ' '.join(command)
    if run(folder, command, 200)[0] != 'pass':
        print('%-45s does not pass by itself on this GL: left out' % name)
        return
    for language in languages:
        with_shim = {'LD_PRELOAD': SHIM, 'TEXENV_SHIM': language, 'TEXENV_SHIM_VERTEX': '1'}
        result, text = run(folder, command, 200, **with_shim)
        replaced = re.search(r'draws seen \d+, replaced (\d+)', text)
        halves = re.search(r'vertex halves replaced (\d+), passed on (\d+)', text)
        if not replaced or not halves:
            check(False, '%s by %s: no figures: %s' % (name, language, text[-300:]))
            continue
        made, stayed = int(halves.group(1)), int(halves.group(2))
        reasons = re.findall(r'vertex halves passed on (\d+): (.*)', text)
        print('%-45s %-6s %s, %s draws replaced, %d vertex halves%s' % (
            name, language, result, replaced.group(1), made, ''.join('; %s: %s' % r for r in reasons)))
        check(result == 'pass', '%s by %s with its vertex half: %s' % (name, language, result))
        if language == 'arbfp' and replaced.group(1) == '0' and FLAT['arbfp'][1] in text:
            continue
        check(made + stayed == int(replaced.group(1)) > 0, '%s by %s: %s draws replaced, %d + %d vertex halves' % (
            name, language, replaced.group(1), made, stayed))
        check(sum(int(n) for n, _ in reasons) == stayed and
              all(allowed and allowed in why for _, why in reasons), '%s by %s: vertex halves stayed for %s' % (name, language, reasons))
        check(made > 0 or allowed, '%s by %s: no vertex half was replaced' % (name, language))
        check(stayed > 0 or not allowed, '%s by %s: nothing stayed for %s' % (name, language, allowed))
        if noticed and language == languages[-1]:
            result = run(folder, command, 200, TEXENV_SHIM_SABOTAGE='vertex', **with_shim)[0]
            check(result == 'fail', '%s by %s, its vertex half translated wrongly on purpose: %s' % (name, language,
                                                                                                   result))


def given(folder, every):
    """Provides GL_ATI_fragment_shader on a GL that does not advertise it: runs piglit's tests of
    ATI_fragment_shader, including its errors, by the first, second, first ... language, or by every one."""
    names = sorted(n for n in os.listdir(folder) if n.startswith('ati_fragment_shader-'))
    check(len(names) >= 24, 'only %d tests of ATI_fragment_shader' % len(names))
    hidden = {'MESA_EXTENSION_OVERRIDE': '-GL_ATI_fragment_shader'}
    for n, name in enumerate(names):
        check(piglit(folder, [name], 100, **hidden)[0] == 'skip', '%s is not skipped without the extension'
              % name)
        for language in ('arbfp', 'glsl') if every else (('arbfp', 'glsl')[n % 2],):
            result, seen, replaced, _ = piglit(folder, [name], 100, LD_PRELOAD=SHIM,
                                               TEXENV_SHIM_PROVIDE=language, **hidden)
            print('%-45s %-6s %s, %d draws, %d by the shim' % (name, language, result, seen, replaced))
            check(result == 'pass', '%s through %s: %s' % (name, language, result))
            check('render' not in name or replaced > 0, '%s through %s: nothing was drawn by the shim'
                  % (name, language))
    for language in ('arbfp', 'glsl'):
        result = piglit(folder, ['ati_fragment_shader-render-ops'], 100, LD_PRELOAD=SHIM,
                        TEXENV_SHIM_PROVIDE=language, TEXENV_SHIM_SABOTAGE='1', **hidden)[0]
        check(result == 'fail', 'render-ops through %s, translated wrongly on purpose: %s'
              % (language, result))


def settings(folder):
    """A wrong setting must end the program; without a setting nothing is replaced, and a message must say
    so."""
    run = subprocess.run([os.path.join(folder, 'crossbar'), '-auto', '-fbo'], capture_output=True, text=True,
                         timeout=100,
                         env=dict(os.environ, PIGLIT_PLATFORM='surfaceless_egl', LD_PRELOAD=SHIM,
                                  TEXENV_SHIM='hlsl', LIBGL_ALWAYS_SOFTWARE='1'))
    check(run.returncode == 2 and 'TEXENV_SHIM=hlsl' in run.stderr, 'a wrong setting: %d %s'
          % (run.returncode, run.stderr[:100]))
    run = subprocess.run([os.path.join(folder, 'crossbar'), '-auto', '-fbo'], capture_output=True, text=True,
                         timeout=100,
                         env=dict(os.environ, PIGLIT_PLATFORM='surfaceless_egl', LD_PRELOAD=SHIM,
                                  LIBGL_ALWAYS_SOFTWARE='1'))
    check('NOTHING WAS REPLACED' in run.stderr and 'TEXENV_SHIM is not set' in run.stderr,
          'no setting: %s' % run.stderr[:200])


def main():
    folder = next((f for f in FOLDERS if os.path.isdir(f)), None)
    if folder is None:
        print('piglit is not installed')
        sys.exit(77)
    mode = sys.argv[2] if len(sys.argv) > 2 else ''
    if mode.startswith('vertex'):
        for command, allowed, noticed in VERTEX + VERTEX_LONG if mode == 'vertex-long' else VERTEX:
            vertex_test(folder, command, allowed, noticed, LANGUAGES if mode == 'vertex-long' else ('arbfp', 'glsl'))
        print('shim_piglit: %d checks, %d failed' % (checks, failures))
        sys.exit(bool(failures))
    long = mode == 'long'
    for n, (command, allowed, sabotage) in enumerate(TESTS + LONG if long else TESTS):
        two = LANGUAGES[n % 3], LANGUAGES[(n + 1) % 3]
        one_test(folder, command, allowed, sabotage, LANGUAGES if long else two, 3000 if long else 200)
    given(folder, long)
    settings(folder)
    print('shim_piglit: %d checks, %d failed' % (checks, failures))
    sys.exit(bool(failures))


main()
