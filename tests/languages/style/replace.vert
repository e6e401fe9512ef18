#version 330 core
layout(location = 0) in vec4 vertex_position;
layout(location = 8) in vec4 vertex_texcoord0;
uniform mat4 modelview;
uniform mat4 projection;
out vec2 texcoord0;

void main()
{
    gl_Position = projection * (modelview * vertex_position);
    texcoord0 = vertex_texcoord0.xy;
}
