/* The loop of bigint-loop.ts in doubles, as fast as C goes: what exactness and a real core cost is held against it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* kind: 0 a mid, 1 a taker with dollars, 2 a taker with shillings */
typedef struct { double value; int32_t kind, bps; } Row;

static const double OPENING_USD = 50000, OPENING_TZS = 130e6;

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  FILE *file = argc < 2 ? NULL : fopen(argv[1], "rb");
  if (!file) return 1;
  fseek(file, 0, SEEK_END);
  long rows = ftell(file) / (long)sizeof(Row);
  rewind(file);
  Row *tape = malloc(rows * sizeof(Row));
  if (!tape || fread(tape, sizeof(Row), rows, file) != (size_t)rows) return 1;
  double best = 1e9, pnl = 0;
  long fills = 0;
  for (int round = 0; round < 5; round++) {
    double from = cpu_seconds();
    double mid = 0, usd = OPENING_USD, ntzs = OPENING_TZS, inventory = 0, edge = 0, bid = 60, ask = 60;
    fills = 0;
    for (long i = 0; i < rows; i++) {
      const Row *row = &tape[i];
      if (row->kind == 0) {
        if (row->value != mid) {
          if (mid > 0) inventory += usd * (row->value - mid);
          mid = row->value;
        }
        continue;
      }
      if (row->kind == 1) {
        if (ask > row->bps || ntzs < row->value * mid) continue;
        double paid = row->value * mid * (1 - ask / 1e4);
        usd += row->value, ntzs -= paid, edge += row->value * mid - paid;
      } else {
        if (bid > row->bps || usd * mid < row->value) continue;
        double paid = row->value / (mid * (1 + bid / 1e4));
        usd -= paid, ntzs += row->value, edge += row->value - paid * mid;
      }
      fills++;
      double lots = (usd - OPENING_USD) / 100, skew = 2 * (double)(long)(lots + (lots < 0 ? -.5 : .5));
      bid = 60 - skew, ask = 60 + skew;
    }
    double seconds = cpu_seconds() - from;
    if (seconds < best) best = seconds;
    pnl = edge + inventory;
  }
  printf("{\"rows\":%ld,\"fills\":%ld,\"seconds\":%.9f,\"pnlTzs\":%.6f}\n", rows, fills, best, pnl);
  return 0;
}
