#version 330 core
in vec4 primary_color;
in vec4 back_color;
out vec4 fragment_color;

void main()
{
    fragment_color = gl_FrontFacing ? primary_color : back_color;
}
