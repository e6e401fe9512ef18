#version 330 core
layout(location = 0) in vec4 vertex_position;
layout(location = 3) in vec4 vertex_color;
uniform mat4 modelview;
uniform mat4 projection;
uniform float point_size;
uniform float point_min;
uniform float point_max;
uniform vec3 point_attenuation;
out vec4 primary_color;

void main()
{
    vec4 eye_position = modelview * vertex_position;
    gl_Position = projection * eye_position;
    primary_color = clamp(vertex_color, 0.0, 1.0);
    float distance = length(eye_position.xyz);
    float attenuation = dot(point_attenuation, vec3(1.0, distance, distance * distance));
    gl_PointSize = clamp(point_size / sqrt(attenuation), point_min, point_max);
}
