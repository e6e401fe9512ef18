#version 330 core
struct Light {
    vec3 position;
    vec3 ambient;
    vec3 diffuse;
    vec3 specular;
    vec3 attenuation;
    vec3 spot_direction;
    float spot_exponent;
    float spot_cos_cutoff;
};
layout(location = 0) in vec4 vertex_position;
layout(location = 2) in vec3 vertex_normal;
layout(location = 8) in vec4 vertex_texcoord0;
uniform mat4 modelview;
uniform mat4 projection;
uniform mat3 normal_matrix;
uniform vec3 scene_color;
uniform float material_alpha;
uniform float shininess;
uniform Light light[1];
out vec4 primary_color;
out vec2 texcoord0;

void main()
{
    vec4 eye_position = modelview * vertex_position;
    gl_Position = projection * eye_position;
    texcoord0 = vertex_texcoord0.xy;
    vec3 normal = normalize(normal_matrix * vertex_normal);
    vec3 direction = light[0].position - eye_position.xyz;
    float distance = length(direction);
    direction /= distance;
    float attenuation = 1.0 / dot(light[0].attenuation, vec3(1.0, distance, distance * distance));
    float spot = dot(-direction, light[0].spot_direction);
    attenuation *= spot < light[0].spot_cos_cutoff ? 0.0 : pow(max(spot, 0.0), light[0].spot_exponent);
    vec3 color = light[0].ambient;
    float diffuse = dot(normal, direction);
    if (diffuse > 0.0) {
        vec3 half_vector = normalize(direction + vec3(0.0, 0.0, 1.0));
        float specular = pow(max(dot(normal, half_vector), 0.0), shininess);
        color += diffuse * light[0].diffuse + specular * light[0].specular;
    }
    primary_color = clamp(vec4(scene_color + attenuation * color, material_alpha), 0.0, 1.0);
}
