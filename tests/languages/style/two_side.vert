#version 330 core
struct Light {
    vec3 position;
    vec3 half_vector;
    vec3 ambient;
    vec3 diffuse;
    vec3 specular;
    vec3 back_ambient;
    vec3 back_diffuse;
    vec3 back_specular;
};
layout(location = 0) in vec4 vertex_position;
layout(location = 2) in vec3 vertex_normal;
uniform mat4 modelview;
uniform mat4 projection;
uniform mat3 normal_matrix;
uniform vec3 scene_color;
uniform vec3 back_scene_color;
uniform float material_alpha;
uniform float back_material_alpha;
uniform float shininess;
uniform float back_shininess;
uniform Light light[1];
out vec4 primary_color;
out vec4 back_color;

void main()
{
    gl_Position = projection * (modelview * vertex_position);
    vec3 normal = normal_matrix * vertex_normal;
    vec3 front = scene_color + light[0].ambient;
    vec3 back = back_scene_color + light[0].back_ambient;
    float diffuse = dot(normal, light[0].position);
    float specular = dot(normal, light[0].half_vector);
    if (diffuse > 0.0)
        front += diffuse * light[0].diffuse + pow(max(specular, 0.0), shininess) * light[0].specular;
    else if (diffuse < 0.0)
        back += pow(max(-specular, 0.0), back_shininess) * light[0].back_specular - diffuse * light[0].back_diffuse;
    primary_color = clamp(vec4(front, material_alpha), 0.0, 1.0);
    back_color = clamp(vec4(back, back_material_alpha), 0.0, 1.0);
}
