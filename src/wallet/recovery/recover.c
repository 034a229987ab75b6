/*
 * Recovers the public key of a signature on secp256k1 with libsecp256k1 from 0.2.0, as an addon (Node-API) and as
 * WebAssembly. src/build/recovery.ts compiles it.
 *
 * Threads share the code of an addon, so it keeps no state. The static context is enough for recovery, and the tables
 * are constants.
 */
#include <secp256k1.h>
#include <secp256k1_recovery.h>
#include <stddef.h>
#include <stdint.h>

enum { KEY_BYTES = 65, SIGNATURE_BYTES = 64, DIGEST_BYTES = 32 };

/* The key is 0x04, x, y. */
static int recover_key(uint8_t *key, const uint8_t *rs, int recovery, const uint8_t *digest) {
  const secp256k1_context *context = secp256k1_context_static;
  secp256k1_ecdsa_recoverable_signature signature;
  secp256k1_pubkey found;
  size_t length = KEY_BYTES;
  return secp256k1_ecdsa_recoverable_signature_parse_compact(context, &signature, rs, recovery) &&
         secp256k1_ecdsa_recover(context, &found, &signature, digest) &&
         secp256k1_ec_pubkey_serialize(context, key, &length, &found, SECP256K1_EC_UNCOMPRESSED);
}

#ifdef __wasm__

/* Each instance has a memory of its own. */
static uint8_t buffer[KEY_BYTES + SIGNATURE_BYTES + DIGEST_BYTES];

__attribute__((export_name("findBuffer"))) uint8_t *find_buffer(void) { return buffer; }

__attribute__((export_name("recover"))) int recover(int recovery) {
  return recover_key(buffer, buffer + KEY_BYTES, recovery, buffer + KEY_BYTES + SIGNATURE_BYTES);
}

/* Called for arguments that are never passed, and for broken hardware. Without them WASI would be imported. */
void secp256k1_default_illegal_callback_fn(const char *message, void *data) {
  (void)message, (void)data;
  __builtin_trap();
}

void secp256k1_default_error_callback_fn(const char *message, void *data) {
  (void)message, (void)data;
  __builtin_trap();
}

#else

/* The little of Node-API that is used here, which is stable by its promise: so no headers have to be installed. */
typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);
enum { NAPI_OK = 0, NAPI_UINT8_ARRAY = 1 };
int napi_get_cb_info(napi_env, napi_callback_info, size_t *count, napi_value *arguments, napi_value *self, void **data);
int napi_get_typedarray_info(napi_env, napi_value, int *type, size_t *length, void **bytes, napi_value *buffer, size_t *offset);
int napi_get_value_int32(napi_env, napi_value, int32_t *result);
int napi_get_boolean(napi_env, _Bool value, napi_value *result);
int napi_throw_range_error(napi_env, const char *code, const char *message);
int napi_create_function(napi_env, const char *name, size_t length, napi_callback, void *data, napi_value *result);
int napi_set_named_property(napi_env, napi_value object, const char *name, napi_value value);

static int read_bytes(napi_env env, napi_value value, size_t expected, uint8_t **bytes) {
  int type;
  size_t length;
  return napi_get_typedarray_info(env, value, &type, &length, (void **)bytes, NULL, NULL) == NAPI_OK &&
         type == NAPI_UINT8_ARRAY && length == expected;
}

/* recover(publicKeyOut, rs, recovery, digest): boolean */
static napi_value recover(napi_env env, napi_callback_info info) {
  napi_value arguments[4], result = NULL;
  size_t count = 4;
  int32_t recovery;
  uint8_t *key, *rs, *digest;
  if (napi_get_cb_info(env, info, &count, arguments, NULL, NULL) != NAPI_OK || count != 4 ||
      !read_bytes(env, arguments[0], KEY_BYTES, &key) || !read_bytes(env, arguments[1], SIGNATURE_BYTES, &rs) ||
      napi_get_value_int32(env, arguments[2], &recovery) != NAPI_OK || recovery < 0 || recovery > 3 ||
      !read_bytes(env, arguments[3], DIGEST_BYTES, &digest))
    napi_throw_range_error(env, NULL, "recover takes 65 bytes for the key, 64 of r and s, 0 to 3, and 32 of a digest");
  else
    napi_get_boolean(env, recover_key(key, rs, recovery, digest), &result);
  return result;
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  napi_value function;
  if (napi_create_function(env, "recover", (size_t)-1, recover, NULL, &function) == NAPI_OK)
    napi_set_named_property(env, exports, "recover", function);
  return exports;
}

#ifdef OF_ARCHIVE
/*
 * Distributions compile archives for executables. Those find stderr at a fixed distance, and a shared object does not.
 * The library writes to it only right before it aborts.
 */
void *stderr;
#endif

#endif
