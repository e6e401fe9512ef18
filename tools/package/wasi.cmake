# CMake toolchain file that builds texenvc as a WebAssembly module for WASI. Debian's packages: clang, lld,
# wasi-libc, libclang-rt-14-dev-wasm32.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_SYSROOT /usr)
# every engine since 2020 has sign extension and exported mutable globals
set(CMAKE_C_FLAGS_INIT "-D_WASI_EMULATED_GETPID -msign-ext -mmutable-globals")
set(CMAKE_C_FLAGS_RELEASE "-Os -DNDEBUG")
# -O0 applies to linking only: otherwise clang would run wasm-opt, if installed, which rejects these features.
# The stack lies below the data, so too deep a recursion traps and overwrites nothing.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-O0 -lwasi-emulated-getpid")
string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT
    " -Wl,--gc-sections,-s,--stack-first,-z,stack-size=1048576,--export=__stack_pointer")
