#version 330 core
uniform sampler2D texture0;
in vec4 primary_color;
in vec4 texcoord0;
out vec4 fragment_color;

void main()
{
    fragment_color = textureProj(texture0, texcoord0) * primary_color;
}
