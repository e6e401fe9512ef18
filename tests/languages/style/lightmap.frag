#version 330 core
uniform sampler2D texture0;
uniform sampler2D texture1;
in vec4 primary_color;
in vec2 texcoord0;
in vec2 texcoord1;
out vec4 fragment_color;

void main()
{
    fragment_color = texture(texture0, texcoord0) * texture(texture1, texcoord1) * primary_color;
}
