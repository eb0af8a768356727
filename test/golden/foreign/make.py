"""Writes the Parquet files of this folder: pip install pyarrow==26.0.1 polars==2.1.0; python make.py"""
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

START = datetime(2026, 11, 2, 10, tzinfo=timezone.utc)
TIMES = [START + timedelta(seconds=s) for s in range(3)]
MIDS = ["2568.1584", "2569", "2570.123456789012345678"]


def table(t=pa.timestamp("us", tz="UTC"), mids=None):
    times = [x.replace(tzinfo=None) for x in TIMES] if getattr(t, "tz", None) is None else TIMES
    return pa.table({"t": pa.array(times, t), "midRateTZS": pa.array(MIDS) if mids is None else mids})


def write(name, data, **options):
    pq.write_table(data, f"{name}.rate.parquet", **options)


for codec in ["gzip", "brotli", "zstd", "snappy", "none", "lz4"]:
    write(f"pyarrow-{codec}", table(), compression=codec)
exact = [Decimal(x) for x in MIDS]
write("decimal-fixed", table(mids=pa.array(exact, pa.decimal128(38, 18))))
short = pa.array([Decimal("2568.1584"), Decimal("2569"), None], pa.decimal128(18, 4))
write("decimal-int64", table(mids=short), store_decimal_as_integer=True)
shorter = pa.array([Decimal("2568.1"), Decimal("2569"), Decimal("2570.5")], pa.decimal128(9, 2))
write("decimal-int32", table(mids=shorter), store_decimal_as_integer=True)
write("nanoseconds", table(pa.timestamp("ns", tz="UTC")))
write("naive", table(pa.timestamp("us")))
write("date", table(pa.date32()))
write("int96", table(pa.timestamp("ns", tz="UTC")), use_deprecated_int96_timestamps=True)
spark = table(pa.timestamp("ns", tz="UTC")).replace_schema_metadata({"org.apache.spark.version": "4.0.1"})
write("spark-int96", spark, use_deprecated_int96_timestamps=True)
frame = pl.DataFrame({"t": TIMES, "midRateTZS": MIDS})
frame.write_parquet("polars.rate.parquet")
frame.with_columns(pl.col("t").dt.replace_time_zone(None)).write_parquet("polars-naive.rate.parquet")
rows = 2_200_000
same = pa.array([START] * rows, pa.timestamp("ms", tz="UTC"))
huge = pa.table({"t": same, "midRateTZS": pa.array(["2568"] * rows)})
write("huge-group", huge, row_group_size=rows, compression="zstd")
