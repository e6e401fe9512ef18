#version 330 core
in vec4 primary_color;
out vec4 fragment_color;

void main()
{
    fragment_color = primary_color;
}
