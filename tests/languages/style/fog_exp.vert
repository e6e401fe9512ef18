#version 330 core
layout(location = 0) in vec4 vertex_position;
layout(location = 3) in vec4 vertex_color;
layout(location = 8) in vec4 vertex_texcoord0;
uniform mat4 modelview;
uniform mat4 projection;
out vec4 primary_color;
out vec2 texcoord0;
out float fog_coord;

void main()
{
    vec4 eye_position = modelview * vertex_position;
    gl_Position = projection * eye_position;
    primary_color = clamp(vertex_color, 0.0, 1.0);
    texcoord0 = vertex_texcoord0.xy;
    fog_coord = abs(eye_position.z);
}
