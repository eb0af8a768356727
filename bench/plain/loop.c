/* The same year in doubles, as fast as C goes: what an exact ledger and a real core cost can be held against it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* kind: 0 rate, 1 competition, 2 balances, 3 a taker with dollars, 4 a taker with shillings */
typedef struct { double t, value; int32_t kind, bps; } Row;

int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "rb");
  if (argc < 2 || !file) return 1;
  fseek(file, 0, SEEK_END);
  long rows = ftell(file) / (long)sizeof(Row);
  rewind(file);
  Row *tape = malloc(rows * sizeof(Row));
  if (fread(tape, sizeof(Row), rows, file) != (size_t)rows) return 1;
  double best = 1e9, pnl = 0, held = 0;
  long fills = 0;
  for (int round = 0; round < 5; round++) {
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    double mid = 0, usd = 50000, ntzs = 130e6, inventory = 0, posted = 0, bid = 60, ask = 60, other = 500;
    fills = 0;
    for (long i = 0; i < rows; i++) {
      const Row *row = &tape[i];
      switch (row->kind) {
      case 0:
        if (row->value != mid) {
          if (mid > 0) inventory += usd * (row->value - mid);
          mid = row->value;
        }
        break;
      case 1: other = row->bps; break;
      case 2: break;
      case 3:
        if (ask <= row->bps && ntzs >= row->value * mid) {
          double gross = row->value * mid * (1 - ask / 1e4);
          usd += row->value, ntzs -= gross, posted += row->value * mid - gross, fills++;
        }
        break;
      case 4:
        if (bid <= row->bps && usd >= row->value / mid) {
          double gross = row->value / (mid * (1 + bid / 1e4));
          usd -= gross, ntzs += row->value, posted += row->value - gross * mid, fills++;
        }
        break;
      }
      if (row->kind >= 3) {
        double share = usd * mid / (usd * mid + ntzs), d = (share - 0.5) / 0.5;
        bid = (int)(60 - 80 * d + 0.5), ask = (int)(60 + 80 * d + 0.5);
        if (bid < 10) bid = 10;
        if (ask < 10) ask = 10;
      }
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    double seconds = (to.tv_sec - from.tv_sec) + (to.tv_nsec - from.tv_nsec) / 1e9;
    if (seconds < best) best = seconds;
    pnl = posted + inventory + other * 0, held = usd;
  }
  printf("{\"rows\":%ld,\"fills\":%ld,\"seconds\":%.6f,\"pnlTzs\":%.2f,\"usd\":%.2f}\n", rows, fills, best, pnl, held);
  return 0;
}
