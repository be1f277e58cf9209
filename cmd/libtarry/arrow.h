// The Arrow C data interface (arrow.apache.org/docs/format/CDataInterface.html). What is made here is released without a call of Go: a
// table may be freed in a forked child, where Go does not run.
#ifndef TARRY_ARROW_H
#define TARRY_ARROW_H

#include <stdint.h>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
  const char *format, *name, *metadata;
  int64_t flags, n_children;
  struct ArrowSchema **children, *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void **buffers;
  struct ArrowArray **children, *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

// They give 0, or 1 where memory is short. Texts, in memory of malloc, pass to the schema in any case.
int tarry_arrow_schema(struct ArrowSchema *s, char *format, char *name, char *metadata, int64_t children);
int tarry_arrow_array(struct ArrowArray *a, int64_t length, int64_t buffers, int64_t children);
// tarry_arrow_buffer gives memory that passes to the array; NULL where it is short.
void *tarry_arrow_buffer(struct ArrowArray *a, int64_t index, int64_t bytes);
void tarry_arrow_release(struct ArrowArray *a, struct ArrowSchema *s);

#endif
