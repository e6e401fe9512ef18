1GLfloat c[4] = {0.5f, 0.25f, 0, 1}; GLenum m = GL_ADD; int i;
for (i = 0; i < 2; i++) { glActiveTexture(GL_TEXTURE0 + i); glEnable(GL_TEXTURE_2D);
 glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, m); }
if (q) { glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, c + 0); }
glTexEnvi(GL_TEXTURE_ENV, GL_RGB_SCALE, p->m + i);
