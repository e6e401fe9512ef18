# libtexenv-es for browsers, by emscripten:
#
#   make -f tools/es/emscripten.mk OUT=web       makes web/libtexenv-es.a, with the parts of texenv it needs
#   emcc -Os game.c @web/texenv-es.flags -o game.html
#
# The flags link the library, and allow a context of WebGL 2 where the browser has it. The program includes
# GL/gl.h.
EMCC ?= emcc
EMAR ?= emar
OUT ?= web
CFLAGS ?= -Os
TOP := $(dir $(lastword $(MAKEFILE_LIST)))../..
SOURCES := $(wildcard $(addprefix $(TOP)/,texenv/*.c fragprog/*.c fragprog/*/*.c tools/es/*.c))
WRAPS := -Wl,--wrap=eglSwapBuffers,--wrap=glutSwapBuffers,--wrap=SDL_GL_SwapBuffers# swap.c
OBJECTS := $(patsubst $(TOP)/%.c,$(OUT)/objects/%.o,$(SOURCES))

$(OUT)/texenv-es.flags: $(OUT)/libtexenv-es.a
	echo "-L$(abspath $(OUT)) -ltexenv-es -sMAX_WEBGL_VERSION=2 $(WRAPS)" > $@

$(OUT)/libtexenv-es.a: $(OBJECTS)
	rm -f $@
	$(EMAR) rcs $@ $^

$(OUT)/objects/%.o: $(TOP)/%.c
	@mkdir -p $(dir $@)
	$(EMCC) $(CFLAGS) -std=gnu11 -ffunction-sections -MMD -I$(TOP) -c $< -o $@

-include $(OBJECTS:.o=.d)
