#version 330 core
layout(location = 0) in vec4 vertex_position;
layout(location = 3) in vec4 vertex_color;
uniform mat4 modelview;
uniform mat4 projection;
uniform mat4 texture_matrix[1];
uniform vec4 eye_plane_s[1];
uniform vec4 eye_plane_t[1];
uniform vec4 eye_plane_r[1];
uniform vec4 eye_plane_q[1];
out vec4 primary_color;
out vec4 texcoord0;

void main()
{
    vec4 eye_position = modelview * vertex_position;
    gl_Position = projection * eye_position;
    primary_color = clamp(vertex_color, 0.0, 1.0);
    vec4 coord = vec4(dot(eye_plane_s[0], eye_position), dot(eye_plane_t[0], eye_position),
                      dot(eye_plane_r[0], eye_position), dot(eye_plane_q[0], eye_position));
    texcoord0 = texture_matrix[0] * coord;
}
