//go:build cgo

#include "arrow.h"

#include <stdlib.h>
#include <string.h>

static void release_schema(struct ArrowSchema *s) {
  for (int64_t i = 0; s->children && i < s->n_children; i++) {
    struct ArrowSchema *child = s->children[i];
    if (child && child->release) child->release(child);
    free(child);
  }
  free(s->children);
  free((void *)s->format);
  free((void *)s->name);
  free((void *)s->metadata);
  s->release = NULL;
}

static void release_array(struct ArrowArray *a) {
  for (int64_t i = 0; a->children && i < a->n_children; i++) {
    struct ArrowArray *child = a->children[i];
    if (child && child->release) child->release(child);
    free(child);
  }
  free(a->children);
  for (int64_t i = 0; a->buffers && i < a->n_buffers; i++) free((void *)a->buffers[i]);
  free(a->buffers);
  a->release = NULL;
}

int tarry_arrow_schema(struct ArrowSchema *s, char *format, char *name, char *metadata, int64_t children) {
  memset(s, 0, sizeof *s);
  s->format = format;
  s->name = name;
  s->metadata = metadata;
  s->release = release_schema;
  if (children == 0) return 0;
  s->children = calloc(children, sizeof *s->children);
  if (!s->children) return 1;
  s->n_children = children;
  for (int64_t i = 0; i < children; i++)
    if (!(s->children[i] = calloc(1, sizeof **s->children))) return 1;
  return 0;
}

int tarry_arrow_array(struct ArrowArray *a, int64_t length, int64_t buffers, int64_t children) {
  memset(a, 0, sizeof *a);
  a->length = length;
  a->release = release_array;
  a->buffers = calloc(buffers, sizeof *a->buffers);
  if (!a->buffers) return 1;
  a->n_buffers = buffers;
  if (children == 0) return 0;
  a->children = calloc(children, sizeof *a->children);
  if (!a->children) return 1;
  a->n_children = children;
  for (int64_t i = 0; i < children; i++)
    if (!(a->children[i] = calloc(1, sizeof **a->children))) return 1;
  return 0;
}

void *tarry_arrow_buffer(struct ArrowArray *a, int64_t index, int64_t bytes) {
  void *memory = malloc(bytes > 0 ? bytes : 8);
  a->buffers[index] = memory;
  return memory;
}

void tarry_arrow_release(struct ArrowArray *a, struct ArrowSchema *s) {
  if (a->release) a->release(a);
  if (s->release) s->release(s);
}
