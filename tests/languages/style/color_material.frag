#version 330 core
uniform sampler2D texture0;
in vec4 primary_color;
in vec2 texcoord0;
out vec4 fragment_color;

void main()
{
    fragment_color = texture(texture0, texcoord0) * primary_color;
}
