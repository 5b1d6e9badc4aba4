"""Parquet files, read by pyarrow and by DuckDB, have the same bits as trajectory.csv."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import vinculum as vn

try:
    import pyarrow.parquet as parquet
except ImportError:
    parquet = None
try:
    import duckdb
except ImportError:
    duckdb = None

MODEL = pathlib.Path(__file__).resolve().parents[2] / "models" / "pucks_parallel.vin"


def csv(path):
    """Names, units and numbers of a CSV file; an empty field becomes NaN."""
    head, units, _, *rows = path.read_text().splitlines()
    numbers = [[float(x) if x else np.nan for x in row.split(",")] for row in rows]
    return head.split(","), units[2:].split(","), np.array(numbers)


@unittest.skipUnless(parquet, "needs pyarrow")
class Parquet(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = pathlib.Path(self.folder.name)

    def expect_same(self, name):
        names, units, numbers = csv(self.out / f"{name}.csv")
        table = parquet.read_table(self.out / f"{name}.parquet")
        self.assertEqual(table.column_names, names)
        read = np.column_stack([column.to_numpy() for column in table.columns])
        self.assertTrue(np.array_equal(read.view(np.int64), numbers.view(np.int64)))
        facts = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
        self.assertEqual(facts["vinculum-parquet"], "1")
        self.assertEqual(json.loads(facts["units"]), dict(zip(names, units)))
        return facts

    def test_of_a_run_is_what_its_csv_says(self):
        run = vn.Model.load(MODEL).run(energy=True)
        self.assertIn("energy.parquet", run.write(self.out, parquet=True))
        self.assertEqual(json.loads(self.expect_same("trajectory")["provenance"]), run.provenance)
        self.expect_same("energy")

    def test_of_the_command_has_frames_and_comes_in_groups(self):
        command = os.environ.get("VINCULUM_COMMAND")
        if not command:
            self.skipTest("VINCULUM_COMMAND names no command")
        text = MODEL.read_text().replace("run 4 [s]", "run 4 [s] step 5e-5 [s]")
        model = self.out / "long.vin"
        model.write_text(text)
        subprocess.run(
            [command, "run", model, "--parquet", "--energy", "-o", self.out], check=True, capture_output=True
        )
        facts = self.expect_same("trajectory")
        self.assertEqual(json.loads(facts["frames"])["C1.x"], "N")
        self.assertEqual(json.loads(facts["provenance"])["model"], "pucks_parallel")
        self.assertGreater(parquet.ParquetFile(self.out / "trajectory.parquet").num_row_groups, 1)
        self.expect_same("energy")
        subprocess.run([command, "run", MODEL, "-o", self.out], check=True, capture_output=True)
        # the folder has only files of one run, no older ones
        self.assertFalse((self.out / "trajectory.parquet").exists())

    @unittest.skipUnless(duckdb, "needs duckdb")
    def test_is_read_by_duckdb(self):
        vn.Model.load(MODEL).run().write(self.out, parquet=True)
        names, _, numbers = csv(self.out / "trajectory.csv")
        found = duckdb.sql(f"select * from '{self.out / 'trajectory.parquet'}'").fetchnumpy()
        self.assertEqual(list(found), names)
        self.assertTrue(np.array_equal(np.column_stack(list(found.values())), numbers, equal_nan=True))


if __name__ == "__main__":
    unittest.main()
