#include <secp256k1.h>
#include <secp256k1_recovery.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* keccak-256 and libsecp256k1 over structs of 352 bytes: hash of the struct, hash of the 66 bytes, signature.
   argv: file with the key (32), the domain separator (32) and the structs; how many rounds.
   Prints the fastest round in seconds and in seconds of the core and, to check, the last order's signature. */

static const uint64_t ROUND[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
static const int ROTATE[24] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44};
static const int LANE[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};

static uint64_t rotated(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

static void permute(uint64_t s[25]) {
  for (int round = 0; round < 24; round++) {
    uint64_t c[5], t;
    for (int i = 0; i < 5; i++) c[i] = s[i] ^ s[i + 5] ^ s[i + 10] ^ s[i + 15] ^ s[i + 20];
    for (int i = 0; i < 5; i++) {
      t = c[(i + 4) % 5] ^ rotated(c[(i + 1) % 5], 1);
      for (int j = 0; j < 25; j += 5) s[j + i] ^= t;
    }
    t = s[1];
    for (int i = 0; i < 24; i++) {
      uint64_t next = s[LANE[i]];
      s[LANE[i]] = rotated(t, ROTATE[i]);
      t = next;
    }
    for (int j = 0; j < 25; j += 5) {
      for (int i = 0; i < 5; i++) c[i] = s[j + i];
      for (int i = 0; i < 5; i++) s[j + i] ^= ~c[(i + 1) % 5] & c[(i + 2) % 5];
    }
    s[0] ^= ROUND[round];
  }
}

/* Little-endian machines only. */
static void keccak256(const uint8_t *in, size_t size, uint8_t out[32]) {
  uint64_t s[25] = {0};
  uint8_t last[136] = {0};
  while (size >= 136) {
    for (int i = 0; i < 17; i++) { uint64_t w; memcpy(&w, in + 8 * i, 8); s[i] ^= w; }
    permute(s);
    in += 136;
    size -= 136;
  }
  memcpy(last, in, size);
  last[size] = 1;
  last[135] |= 0x80;
  for (int i = 0; i < 17; i++) { uint64_t w; memcpy(&w, last + 8 * i, 8); s[i] ^= w; }
  permute(s);
  memcpy(out, s, 32);
}

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) return 2;
  static uint8_t data[64 + 352 * 100000];
  size_t size = fread(data, 1, sizeof data, file);
  size_t orders = (size - 64) / 352;
  secp256k1_context *context = secp256k1_context_create(SECP256K1_CONTEXT_SIGN);
  uint8_t preimage[66] = {0x19, 0x01}, hash[32], compact[64] = {0};
  int parity = 0;
  double best = 1e9, best_cpu = 1e9;
  memcpy(preimage + 2, data + 32, 32);
  for (int round = 0; round < atoi(argv[2]); round++) {
    double began = now(CLOCK_MONOTONIC), cpu_began = now(CLOCK_PROCESS_CPUTIME_ID);
    for (size_t i = 0; i < orders; i++) {
      secp256k1_ecdsa_recoverable_signature signature;
      keccak256(data + 64 + 352 * i, 352, preimage + 34);
      keccak256(preimage, 66, hash);
      if (!secp256k1_ecdsa_sign_recoverable(context, &signature, hash, data, NULL, NULL)) return 1;
      secp256k1_ecdsa_recoverable_signature_serialize_compact(context, compact, &parity, &signature);
    }
    double took = now(CLOCK_MONOTONIC) - began, cpu_took = now(CLOCK_PROCESS_CPUTIME_ID) - cpu_began;
    if (took < best) best = took;
    if (cpu_took < best_cpu) best_cpu = cpu_took;
  }
  printf("{\"orders\":%zu,\"seconds\":%.9f,\"cpuSeconds\":%.9f,\"signature\":\"0x", orders, best, best_cpu);
  for (int i = 0; i < 64; i++) printf("%02x", compact[i]);
  printf("%02x\"}\n", 27 + parity);
  return 0;
}
