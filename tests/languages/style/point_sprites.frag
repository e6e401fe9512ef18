#version 330 core
uniform sampler2D texture0;
in vec4 primary_color;
out vec4 fragment_color;

void main()
{
    fragment_color = texture(texture0, gl_PointCoord) * primary_color;
}
