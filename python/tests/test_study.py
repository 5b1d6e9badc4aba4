"""Studies: closed forms, equal tables whatever computes them and whatever dies, and designs that are refused."""

import concurrent.futures
import contextlib
import importlib.util
import io
import math
import multiprocessing
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import unittest.mock

import numpy as np

import vinculum as vn

OSCILLATOR = """model oscillator
frame N newtonian
point O fixed in N
param m = 2 [kg], k = 50 [N/m], x0 = 0.1 [m], bound = 1 [m]
coord x [m]
particle P mass m at O + x*N.x
force on P = -k*x*N.x
output F = -k*x as [N]
output root = sqrt(x + bound)
start x = x0
run 1 [s] step 0.1 [s] tolerance 1e-12
"""

HAS_PYARROW = importlib.util.find_spec("pyarrow") is not None


def needs(*packages):
    missing = [one for one in packages if importlib.util.find_spec(one) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


def recipe(language, word):
    """The code block of the page about studies that contains a word."""
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "howto" / "studies.md"
    blocks = [part.split("```")[0] for part in page.read_text().split(f"```{language}\n")[1:]]
    return next(block for block in blocks if word in block)


class InAFolder(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)
        self.model = self.write("oscillator.vin", OSCILLATOR)
        self.count = 0

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def create(self, design=None, rows=24, **how):
        """A new study of the oscillator with six shards."""
        self.count += 1
        design = design or {"m": [1.0 + 0.1 * i for i in range(rows)], "k": [40.0 + i for i in range(rows)]}
        how = {"record": ["x", "F"], "rows_per_shard": 4, "backend": "tape", **how}
        return vn.Study.create(self.model, design, self.folder / f"study{self.count}", **how)

    def customize(self, text):
        """The environment of a process in which `text` is executed before anything else."""
        self.write("custom/sitecustomize.py", textwrap.dedent(text))
        path = [str(self.folder / "custom"), *filter(None, [os.environ.get("PYTHONPATH")])]
        return {"PYTHONPATH": os.pathsep.join(path)}

    @contextlib.contextmanager
    def environment(self, values):
        with unittest.mock.patch.dict(os.environ, values):
            yield

    def start(self, *words, env=None, **how):
        """The command `study` as a process of its own group."""
        return subprocess.Popen(
            [sys.executable, "-m", "vinculum", "study", *map(str, words)],
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **how,
        )

    def ended(self, *words, **how):
        """Exit status and output of a command."""
        process = self.start(*words, **how)
        out, err = process.communicate(timeout=300)
        return process.returncode, out + err


@needs("pyarrow")
class Studies(InAFolder):
    def test_satisfy_a_closed_form_and_have_the_bits_of_single_runs(self):
        study = self.create()
        status = study.work()
        self.assertTrue(status.is_complete)
        self.assertEqual((status.rows, status.rows_done, status.shards, status.failed), (24, 24, 6, {}))
        table = study.table()
        m, k = (table[title].to_numpy() for title in ("m [kg]", "k [N/m]"))
        x = 0.1 * np.cos(np.sqrt(k / m))
        np.testing.assert_allclose(table["x"].to_numpy(), x, atol=1e-10)
        np.testing.assert_allclose(table["F"].to_numpy(), -k * x, atol=1e-8)
        self.assertEqual(table["row"].to_pylist(), list(range(24)))
        model = vn.Model.from_text(OSCILLATOR, backend="tape", cache="")
        sweep = model.sweep({"m": m, "k": k}, ["x", "F"])
        self.assertEqual(table["x"].to_pylist(), list(sweep["x"]))
        for row in (0, 7, 23):
            self.assertEqual(study.replay(row)["F"][-1], table["F"][row].as_py())
            self.assertEqual(model.with_values({"m": m[row], "k": k[row]}).run()["F"][-1], table["F"][row].as_py())
        self.assertEqual(study.replay(3, energy=True).energy.columns[0].values.shape, (11,))
        self.assertEqual(vn.Study.open(study.folder).digest(), study.digest())
        self.assertEqual(study.verify(replays=3), [])

    def test_have_one_table_whatever_computes_them(self):
        expected = self.create()
        expected.work(workers=1)
        digest = expected.digest()
        for how in ({}, {"rows_per_shard": 1}, {"rows_per_shard": 24}, {"rows_per_shard": 5}):
            study = self.create(**how)
            study.work(workers=2)
            self.assertEqual(study.digest(), digest, how)
            self.assertEqual(study.id, expected.id)
        engines = [
            concurrent.futures.ThreadPoolExecutor(2),
            concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")),
            concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")),
        ]
        for engine in engines:
            study = self.create()
            with engine:
                self.assertTrue(study.work(engine).is_complete)
            self.assertEqual(study.digest(), digest, engine)
        study = self.create()
        self.assertEqual([study.work(part=i, parts=4).shards_done for i in (1, 2, 3, 4)], [2, 4, 5, 6])
        self.assertEqual(study.digest(), digest)
        other = self.create({"m": [1.0], "k": [41.0]})
        other.work()
        self.assertNotEqual(other.digest(), digest)

    @needs("distributed")
    def test_have_the_same_table_from_dask_whose_worker_is_killed(self):
        import dask
        import distributed

        expected = self.create()
        expected.work()
        slow = self.customize(
            """
            import sys
            if sys.argv[:1] == ["-m"]:
                import time, vinculum._study_shard as shard
                evaluate = shard.evaluate
                shard.evaluate = lambda *given: (time.sleep(0.02), evaluate(*given))[1]
            """
        )
        settings = {"distributed.worker.daemon": True, "distributed.admin.tick.limit": "60s"}
        with self.environment(slow), dask.config.set(settings):
            cluster = distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
            )
            with cluster, distributed.Client(cluster) as client:
                study = self.create(rows_per_shard=1)
                victim = next(iter(client.run(os.getpid).values()))
                with concurrent.futures.ThreadPoolExecutor(1) as beside:
                    done = beside.submit(study.work, client.get_executor())
                    while not study.plan.present() and not done.done():
                        time.sleep(0.01)
                    os.kill(victim, signal.SIGKILL)
                    self.assertTrue(done.result(timeout=300).is_complete)
        self.assertEqual(study.digest(), expected.digest())

    def test_have_the_same_table_from_mpi(self):
        mpirun = shutil.which(
            "mpirun", path=os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
        )
        if mpirun is None or importlib.util.find_spec("mpi4py") is None:
            self.skipTest("not installed: mpirun or mpi4py")
        expected, study = self.create(), self.create(rows_per_shard=1)
        expected.work()
        program = recipe("py", "mpi4py")
        self.write("study_mpi.py", program.replace('"crane_study"', repr(str(study.folder))))
        command = [mpirun, "-np", "3", sys.executable, "-m", "mpi4py.futures", self.folder / "study_mpi.py"]
        oversubscribed = {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "OMPI_ALLOW_RUN_AS_ROOT": "1"}
        env = {**os.environ, **oversubscribed, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stdout.count("24 of 24 runs")), (0, 1), done.stdout + done.stderr)
        self.assertEqual(study.digest(), expected.digest())

    def test_have_the_same_table_from_an_array_of_jobs_of_slurm(self):
        script = recipe("sh", "#SBATCH")
        expected, study = self.create(), self.create()
        expected.work()
        self.assertRegex(script, "#SBATCH --array=1-50\n")
        script = (
            script.replace("1-50", "1-3").replace("per-task=4", "per-task=1").replace("crane_study", str(study.folder))
        )
        path = self.write("study.sh", script.replace("python -m", f"{sys.executable} -m"))
        if shutil.which("sbatch"):
            subprocess.run(["sbatch", "--wait", path], check=True, cwd=self.folder, timeout=300)
        else:  # the same script, called as Slurm calls it
            for job in ("1", "2", "3"):
                env = {**os.environ, "SLURM_ARRAY_TASK_ID": job, "SLURM_ARRAY_TASK_COUNT": "3"}
                subprocess.run(["bash", path], check=True, env=env, capture_output=True, timeout=300)
        self.assertTrue(study.status().is_complete)
        self.assertEqual(study.digest(), expected.digest())
        if not shutil.which("sbatch"):
            self.skipTest("Slurm is not installed: its script was run without it")

    def test_have_shards_of_a_size_that_fits(self):
        from vinculum._study import _size_of_shards as size

        self.assertEqual(size(0.01, 5, 10**6, 2), 1000)  # 10 s
        self.assertEqual(size(0.01, 5, 8000, 8), 250)  # four per core
        self.assertEqual(size(0.01, 5, 8000, 1000), 100)  # at least 1 s
        self.assertEqual(size(60.0, 5, 8000, 2), 1)
        self.assertEqual(size(0.01, 5, 7, 64), 7)
        self.assertEqual(size(1e-5, 1, 10**8, 2), 100_000)  # memory
        self.assertEqual(size(1e-5, 1000, 10**8, 2), 1000)
        study = self.create({"m": np.linspace(1, 2, 400)}, rows_per_shard=None)
        self.assertLessEqual(study.plan.rows_per_shard, 400)

    def test_keep_runs_that_fail_as_rows(self):
        bounds = [1.0, 0.05, 1.0, 1.0, 0.05, 0.06]  # sqrt(x + bound) of x = -0.1 has no value
        study = self.create({"bound": bounds}, rows_per_shard=2)
        self.assertEqual(study.work().failed, {"non-finite": 3})
        table = study.table().to_pydict()
        self.assertEqual([kind != "" for kind in table["failed"]], [bound < 0.1 for bound in bounds])
        self.assertEqual([x is None for x in table["x"]], [bound < 0.1 for bound in bounds])
        self.assertAlmostEqual(table["failed_t"][1], 0.5)  # outputs are computed at samples
        self.assertIn("sqrt", table["failed_message"][1])
        self.assertIn("oscillator.vin:9", table["failed_place"][1])
        self.assertEqual(study.replay(1).stopped.kind, "non-finite")
        self.assertEqual(study.verify(replays=6), [])

    def test_take_vectors_extremes_and_samples(self):
        study = self.create(
            {"x0 [cm]": [1, 2, 3], "m": ["2 [kg]", "2000 [g]", "2.0 [kg]"]},
            record={"end": "x", "top": "max(x)", "low": "min(F)", "xs": "all(x)"},
        )
        study.work()
        table = study.table()
        self.assertEqual(table["x0 [cm]"].to_pylist(), [1.0, 2.0, 3.0])
        self.assertEqual(table["m"].to_pylist(), ["2 [kg]", "2000 [g]", "2.0 [kg]"])
        np.testing.assert_allclose(table["top"].to_numpy(), [0.01, 0.02, 0.03], rtol=1e-12)
        np.testing.assert_array_equal(table["low"].to_numpy(), -50 * table["top"].to_numpy())
        self.assertEqual([len(one) for one in table["xs"].to_pylist()], [11, 11, 11])
        self.assertEqual(table["t"][0].as_py(), [float(t) for t in study.replay(0).t])
        np.testing.assert_array_equal([one[-1] for one in table["xs"].to_pylist()], table["end"].to_numpy())

    def test_are_the_same_with_options_in_another_order(self):
        one = self.create(until=1, tolerance=1e-9, record={"a": "x", "b": "F"})
        self.count -= 1  # the same folder
        other = self.create(tolerance=1e-9, until=1, record={"b": "F", "a": "x"})
        self.assertEqual(one.id, other.id)

    def test_may_lie_in_a_folder_whose_name_has_an_equals_sign(self):
        design = self.folder / "m=9" / "design.parquet"
        design.parent.mkdir()
        import pyarrow
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.table({"k [N/m]": [40.0, 50.0]}), design)
        study = vn.Study.create(self.model, design, self.folder / "k=3" / "study", record=["x"], backend="tape")
        study.work()
        self.assertEqual(study.table().column_names[:3], ["row", "k [N/m]", "x"])
        self.assertEqual(study.verify(), [])

    def test_name_times_of_samples_t(self):
        with self.assertRaisesRegex(vn.StudyError, "choose another label"):
            self.create(record=["t", "all(x)"])

    def test_need_a_worker(self):
        with self.assertRaisesRegex(vn.StudyError, "workers=-1"):
            self.create().work(workers=-1)

    def test_take_options_and_inputs(self):
        pushed = self.write(
            "pushed.vin",
            "model pushed\nframe N newtonian\npoint O fixed in N\nparam m = 2 [kg]\ncoord x [m]\n"
            "particle P mass m at O + x*N.x\ninput push [N]\nforce on P = push*N.x\nrun 2 [s]\n",
        )
        made = vn.Study.create(
            pushed,
            {"m": [1.0, 2.0]},
            self.folder / "pushed",
            record=["x'"],
            until=1,
            inputs={"push": (np.array([0.0, 0.5, 1.0]), [3.0, 5.0, 0.0])},
            set={"m": "7 [kg]"},
            backend="tape",
        )
        made.work()
        np.testing.assert_allclose(made.table()["x'"].to_numpy(), [4.0, 2.0], atol=1e-9)
        self.assertEqual(made.plan.set, {"m": "7 [kg]"})

    def test_are_refused_before_a_run(self):
        for text, words in [
            ("mass [kg]\n1\n", "no parameter `mass`"),
            ("x [m]\n1\n", "declare a parameter"),
            ("m [kg],m [g]\n1,1000\n", "two columns for the parameter `m`"),
            ("m [kg],m [kg]\n1,1\n", "two columns"),
            ("m\n1\n", "write its title with a unit, such as `m [kg]`"),
            ("m [kg]\n1\nnan\n", "row 1: nan is not a finite number"),
            ("m [kg],k [N/m]\n1,2\n3,\n", "row 1: the value is missing"),
            ("m [kg]\nheavy\n", "`heavy` is not a number; the title has the unit"),
            ("m [kg]\n", "no rows"),
            ("", "cannot be read"),
        ]:
            design = self.write("design.csv", text)
            with self.subTest(words=words), self.assertRaises(vn.DesignError) as caught:
                self.create(design)
            self.assertIn(words, str(caught.exception))
        for design, words in [("m [s]\n1\n", "must be in kg, found s"), ("m\n1 [kg]\n2 [s]\n", "found s")]:
            with self.assertRaisesRegex(vn.ModelError, words):
                self.create(self.write("design.csv", design))
        for how, kind, words in [
            ({"record": ["no such quantity"]}, vn.CallError, "no such quantity"),
            ({"record": {"x": lambda run: 1.0}}, vn.StudyError, "a study records names"),
            ({"record": {"m [kg]": "x"}}, vn.StudyError, "of this name is there already"),
            ({"record": {"failed": "x"}}, vn.StudyError, "of this name is there already"),
            ({"on_event": print}, vn.StudyError, "no option `on_event`"),
            ({"inputs": {"push": "push.csv"}}, vn.StudyError, "give arrays"),
            ({"until": -1}, vn.CallError, "until"),
            ({"inputs": {"push": ([0.0], [1.0])}}, vn.CallError, "push"),
            ({"loads": "C"}, vn.CallError, "no frame `C`"),
            ({"rows_per_shard": 0}, vn.StudyError, "rows_per_shard"),
            ({"set": {"mass": 1.0}}, vn.VinculumError, "mass"),
        ]:
            with self.subTest(words=words), self.assertRaisesRegex(kind, words):
                self.create({"m": [1.0, 2.0]}, **how)
        self.assertEqual(list(self.folder.glob("*study*")), [])  # nothing is left behind

    def test_refuse_to_go_on_with_another_model(self):
        design = {"m": [1.0, 2.0]}
        study = vn.Study.create(self.model, design, self.folder / "study", record=["x"], backend="tape")
        study.work()
        same = vn.Study.create(self.model, design, self.folder / "study", record=["x"], backend="tape")
        self.assertEqual(same.status().rows_done, 2)
        for how in ({"record": ["F"]}, {"record": ["x"], "until": 2}):
            with self.assertRaisesRegex(vn.StudyError, "another study, with different (record|options): choose"):
                vn.Study.create(self.model, design, self.folder / "study", backend="tape", **how)
        with self.assertRaisesRegex(vn.StudyError, "different design"):
            vn.Study.create(self.model, {"m": [1.0, 3.0]}, self.folder / "study", record=["x"], backend="tape")
        self.model.write_text(OSCILLATOR.replace("k = 50", "k = 60"))
        with self.assertRaisesRegex(vn.StudyError, "different files"):
            vn.Study.create(self.model, design, self.folder / "study", record=["x"], backend="tape")
        self.assertEqual(study.replay(1)["x"][-1], study.table()["x"][1].as_py())  # it has a copy of its own
        copy = study.folder / "model" / "oscillator.vin"
        copy.write_text(copy.read_text() + "# a comment\n")
        for call in (study.work, vn.Study.open(study.folder).replay):
            with self.assertRaisesRegex(vn.StudyError, "has changed since the study was created: restore the file"):
                call(*((0,) if call != study.work else ()))
        self.assertRegex(study.verify()[0], "oscillator.vin` has changed")
        with self.assertRaisesRegex(vn.StudyError, "is not a study"):
            vn.Study.open(self.folder)

    def test_refuse_to_go_on_with_another_version(self):
        study = self.create()
        path = study.folder / "study.json"
        path.write_text(path.read_text().replace(vn.__version__, "0.0.1"))
        with self.assertRaisesRegex(vn.StudyError, "was created by Vinculum 0.0.1, but this is"):
            vn.Study.open(study.folder).work()
        path.write_text("{")
        with self.assertRaisesRegex(vn.StudyError, "cannot be read"):
            vn.Study.open(study.folder)

    def test_contain_the_files_of_the_model(self):
        self.write("parts/spring.vin", 'let stiffness = table("data/stiffness.csv", x)\n')
        self.write("data/stiffness.csv", "x [m], k [N/m]\n-1, 50\n1, 50\n")
        text = OSCILLATOR.replace("-k*x*N.x", "-stiffness*x*N.x").replace(
            "particle", 'include "parts/spring.vin"\nparticle'
        )
        self.model = self.write("oscillator.vin", text + '# an unused "name.csv"\n')
        study = self.create({"m": [1.0, 2.0]})
        self.assertEqual(sorted(study.plan.files), ["data/stiffness.csv", "oscillator.vin", "parts/spring.vin"])
        for name in ("parts/spring.vin", "data/stiffness.csv", "oscillator.vin"):
            (self.folder / name).unlink()
        moved = study.folder.rename(self.folder / "moved")
        study = vn.Study.open(moved)
        study.work()
        np.testing.assert_allclose(study.table()["x"].to_numpy(), 0.1 * np.cos(np.sqrt([50.0, 25.0])), atol=1e-8)
        (moved / "model/data/stiffness.csv").write_text("x [m], k [N/m]\n-1, 60\n1, 60\n")
        with self.assertRaisesRegex(vn.StudyError, "stiffness.csv` has changed"):
            study.work()


@needs("pyarrow")
class Tables(InAFolder):
    def test_are_csv_pandas_and_xarray_with_the_same_bits(self):
        import pyarrow.csv

        study = self.create(record={"x": "x", "xs": "all(x)"})
        with self.assertRaisesRegex(vn.StudyError, "no results yet: call work"):
            study.collect(self.folder / "results.csv")
        study.work()
        study.collect(self.folder / "results.csv")
        read = pyarrow.csv.read_csv(self.folder / "results.csv")
        self.assertEqual(
            read.column_names,
            ["row", "m [kg]", "k [N/m]", "x", "failed", "failed_t", "failed_message", "failed_place"],
        )
        self.assertEqual(read["x"].to_pylist(), study.table()["x"].to_pylist())

    @needs("pandas")
    def test_of_pandas_have_a_line_per_run(self):
        study = self.create({"bound": [1.0, 0.05]})
        study.work()
        table = study.to_pandas()
        self.assertEqual(list(table["failed"]), ["", "non-finite"])
        self.assertTrue(math.isnan(table["x"][1]))

    @needs("xarray")
    def test_of_xarray_have_runs_and_times(self):
        study = self.create({"bound": [1.0, 0.05, 1.0], "m": [1.0, 2.0, 3.0]}, record={"x": "all(x)", "top": "max(x)"})
        study.work()
        data = study.to_xarray()
        self.assertEqual(dict(data.sizes), {"run": 3, "t": 11})
        np.testing.assert_array_equal(data["x"][2], study.replay(2)["x"])
        self.assertTrue(bool(np.isnan(data["x"][1]).all()))
        self.assertEqual(list(data["m [kg]"].values), [1.0, 2.0, 3.0])

    @needs("xarray")
    def test_of_xarray_have_numbered_samples_if_times_differ(self):
        text = OSCILLATOR.replace("start x", "event half: x = 0.05 [m] falling stop\nstart x")
        self.model = self.write("oscillator.vin", text)
        study = self.create({"k": [1.0, 50.0]}, record={"x": "all(x)"})
        study.work()
        data = study.to_xarray()
        lengths = [len(study.replay(row).t) for row in (0, 1)]
        self.assertNotEqual(*lengths)
        self.assertEqual(dict(data.sizes), {"run": 2, "sample": max(lengths)})
        np.testing.assert_array_equal(data["t"][1][: lengths[1]], study.replay(1).t)

    @needs("duckdb")
    def test_are_read_by_duckdb(self):
        import duckdb

        study = self.create()
        study.work()
        found = duckdb.sql(f"select quantile_cont(x, 0.5), count(*) from '{study.folder}/shards/*.parquet'").fetchall()[
            0
        ]
        self.assertAlmostEqual(found[0], float(np.median(study.table()["x"].to_numpy())), places=15)
        self.assertEqual(found[1], 24)

    def test_are_verified(self):
        study = self.create()
        study.work()
        path = study.plan.path_of(2)
        good, digest = path.read_bytes(), study.digest()
        damaged = 0
        for place in range(0, len(good), 61):
            path.write_bytes(good[:place] + bytes([good[place] ^ 0xFF]) + good[place + 1 :])
            wrong = study.verify(0)
            damaged += bool(wrong)
            if not wrong:  # a byte that no reader needs, such as a statistic
                self.assertEqual(study.digest(), digest)
        self.assertGreater(damaged, 30)
        path.write_bytes(study.plan.path_of(3).read_bytes())
        self.assertRegex(study.verify(0)[0], "does not have the rows 8 to 11")
        other = self.create(set={"x0": 0.2})
        other.work()
        path.write_bytes(other.plan.path_of(2).read_bytes())
        self.assertRegex(study.verify(0)[0], "belongs to another study")
        path.unlink()
        self.assertEqual(study.verify(), [])
        self.assertEqual(study.status().rows_done, 20)
        study.work()
        self.assertEqual(path.read_bytes(), good)
        (study.folder / "design.parquet").write_bytes((other.folder / "design.parquet").read_bytes()[:-9])
        self.assertRegex(study.verify(0)[0], "design.parquet` is damaged")

    def test_that_are_damaged_are_named_by_all_readers(self):
        study = self.create()
        study.work()
        path = study.plan.path_of(2)
        path.write_bytes(path.read_bytes()[:-9])
        for read in (study.status, study.table, lambda: study.collect(self.folder / "all.csv")):
            with self.assertRaisesRegex(vn.StudyError, "is damaged: remove it"):
                read()
        self.assertEqual([one.name for one in self.folder.iterdir() if "all.csv" in one.name], [])

    def test_with_other_numbers_are_found_by_a_replay(self):
        import pyarrow
        import pyarrow.parquet
        from vinculum._study_digest import digest

        study = self.create({"m": [1.0]}, record=["x"])
        study.work()
        table = study.table()
        wrong = pyarrow.array([np.nextafter(table["x"][0].as_py(), 1.0)])
        place = table.column_names.index("x")
        table = table.set_column(place, "x", wrong)
        table = table.replace_schema_metadata({"study": study.id, "content": digest(table)})
        pyarrow.parquet.write_table(table, study.plan.path_of(0))
        self.assertEqual(study.verify(replays=0), [])
        self.assertEqual(study.verify(replays=1), ["run 0 has other results when it is computed again"])


ROTOR = """model rotor
frame N newtonian
point O fixed in N
param m = 3 [kg], r = 0.1 [m], w = 20 [rad/s]
coord x, y [m], q [rad]
frame B = N rotated q about z
body disk frame B mass m inertia (1, 1, 1) [kg*m^2] at O + x*N.x + y*N.y
point hub = disk - r*B.x
constraint bearing: pos(hub, O) = 0 along N.x, N.y
start q = 0, q' = w, x = r, y = 0
run 0.2 [s] tolerance 1e-12
"""


@needs("pyarrow")
class Loads(InAFolder):
    def test_have_the_greatest_peak_with_its_run_and_time(self):
        design = {"m": [3.0, 5.0, 4.0, 2.0], "w": [20.0, 10.0, 30.0, 5.0]}
        study = vn.Study.create(
            self.write("rotor.vin", ROTOR), design, self.folder / "study", loads="B", record=[], backend="tape"
        )
        study.work()
        forces = [m * 0.1 * w**2 for m, w in zip(design["m"], design["w"])]
        hub = next(one for one in study.loads() if one.on == "hub")
        self.assertEqual((hub.kind, hub.constraint, hub.run, hub.is_unique), ("force", "bearing", 2, True))
        self.assertAlmostEqual(hub.peak, max(forces), places=6)
        np.testing.assert_allclose(hub.at_peak, [-max(forces), 0, 0], atol=1e-5)
        self.assertEqual((hub.rms_run, hub.mean_run), (2, 2))
        table = study.table()
        np.testing.assert_allclose(table["peak force(bearing, hub)"].to_numpy(), forces, rtol=1e-8)
        np.testing.assert_allclose(table["rms force(bearing, hub)"].to_numpy(), forces, rtol=1e-8)
        again = next(one for one in study.replay(hub.run).loads.all if one.on == "hub")
        self.assertEqual((again.peak, again.t, again.rms), (hub.peak, hub.t, hub.rms))
        with self.assertRaisesRegex(vn.StudyError, "loads=True"):
            self.create().loads()


@needs("pyarrow")
class Pages(InAFolder):
    def test_have_the_numbers_of_all_runs(self):
        from vinculum._study_page import content_of

        masses = [1.0, 1.2, 1.4, 1.6, 1.8, 2.0]
        study = self.create({"m": masses, "bound": [1.0, 1.0, 1.0, 1.0, 1.0, -0.05]}, until=0.3)
        study.work()
        content = content_of(study)
        self.assertEqual([one["name"] for one in content["parameters"]], ["m [kg]", "bound [m]"])
        self.assertEqual([one["name"] for one in content["results"]], ["x", "F"])
        self.assertEqual(content["row"], list(range(6)))
        self.assertEqual([sum(one["counts"]) for one in content["results"]], [5, 5])
        self.assertIsNone(content["results"][0]["values"][5])
        x = 0.1 * np.cos(0.3 * np.sqrt(50.0 / np.array(masses[:5])))
        self.assertTrue(np.all(np.diff(x) > 0))  # so the rank correlations are 1 and -1
        np.testing.assert_allclose([line[0] for line in content["influence"]["values"]], [1, -1], rtol=1e-14)
        self.assertEqual([line[1] for line in content["influence"]["values"]], [None, None])
        self.assertEqual([(one["row"], one["kind"]) for one in content["failed"]], [(5, "non-finite")])

    def test_show_a_part_of_many_runs_with_the_extremes(self):
        from vinculum import _study_page

        values = np.sin(np.arange(20_000.0))
        places = _study_page._chosen({"x": values}, len(values))
        self.assertLessEqual(len(places), 5002)
        self.assertTrue({int(values.argmin()), int(values.argmax()), 0, 19_999} <= set(places.tolist()))

    def test_have_histograms_of_a_reasonable_number_of_bars(self):
        from vinculum._study_page import _histogram

        rare = np.where(np.arange(1000) % 10 == 0, 100.0, 1e-15 * np.arange(1000))
        for values in (rare, np.array([1.0]), np.array([1.0, 2.0]), np.random.default_rng(1).normal(size=5000)):
            made = _histogram(values)
            self.assertLessEqual(len(made["counts"]), 60)
            self.assertEqual(sum(made["counts"]), len(values))

    def test_have_rank_correlations_with_equal_ranks(self):
        from vinculum._study_page import rank_correlation

        x, y = np.array([1.0, 2.0, 2.0, 3.0, np.nan]), np.array([1.0, 3.0, 2.0, 4.0, 0.0])
        self.assertAlmostEqual(rank_correlation(x, y), 4.5 / math.sqrt(4.5 * 5.0), places=14)
        self.assertIsNone(rank_correlation(x, np.ones(5)))

    @unittest.skipUnless(pathlib.Path(vn.__file__).with_name("study.html").exists(), "built without npm")
    def test_are_one_file_without_a_network(self):
        study = self.create()
        study.work()
        page = study.page()
        self.assertIn('"format": "vinculum-study-page/1"', page.html)
        self.assertNotIn("@vinculum-study@", page.html)
        self.assertNotRegex(page.html, r"<(script|link)[^>]*(src|href)=[\"']?http")
        status, text = self.ended("page", study.folder, "-o", self.folder / "page.html")
        self.assertEqual((status, text), (0, ""))
        self.assertEqual((self.folder / "page.html").read_text(encoding="utf-8"), page.html)


class Broken(concurrent.futures.Executor):
    """An engine that loses the worker of every second task."""

    def __init__(self):
        self.count = 0

    def submit(self, function, /, *given):
        self.count += 1
        future = concurrent.futures.Future()
        if self.count % 2:
            future.set_result(function(*given))
        else:
            future.set_exception(concurrent.futures.BrokenExecutor("a worker was lost"))
        return future


KILLS_ITSELF = """
import sys
if sys.argv[:1] == ["-m"]:
    import os, signal, vinculum._study_shard as shard
    evaluate = shard.evaluate
    def dying(model, row, *given):
        if row in ROWS:
            os.kill(os.getpid(), signal.SIGSEGV)
        return evaluate(model, row, *given)
    shard.evaluate = dying
"""

SLOW = """
import sys
if sys.argv[:1] == ["-m"]:
    import time, vinculum._study_shard as shard
    evaluate = shard.evaluate
    shard.evaluate = lambda *given: (time.sleep(0.005), evaluate(*given))[1]
"""


@needs("pyarrow")
class Faults(InAFolder):
    def setUp(self):
        super().setUp()
        self.expected = self.create(rows=48)
        self.expected.work()

    def test_a_run_that_kills_its_process_is_a_row(self):
        with self.environment(self.customize(KILLS_ITSELF.replace("ROWS", "(5, 21, 22)"))):
            self.assertEqual(self.create(rows=20, rows_per_shard=None).plan.rows_per_shard, 10)  # its trial dies
            study = self.create(rows=48, rows_per_shard=16)
            status = study.work()
        self.assertEqual(status.failed, {"crash": 3})
        self.assertTrue(status.is_complete)
        table, expected = study.table().to_pydict(), self.expected.table().to_pydict()
        for row in range(48):
            if row in (5, 21, 22):
                self.assertEqual(table["failed"][row], "crash")
                self.assertIn("signal 11 (SIGSEGV)", table["failed_message"][row])
                self.assertIsNone(table["x"][row])
            else:
                self.assertEqual((table["x"][row], table["failed"][row]), (expected["x"][row], ""))
        self.assertEqual(study.verify(replays=48), [])

    def test_a_process_that_dies_once_is_not_a_fault_of_a_run(self):
        study = self.create(rows=48, rows_per_shard=16)
        once = KILLS_ITSELF.replace("row in ROWS", f"row == 20 and not os.mkdir('{self.folder}/died')")
        once = once.replace("    def dying", "    import os\n    def dying")
        text = once.replace("        if row == 20", "        if not os.path.exists(DIED) and row == 20")
        with self.environment(self.customize(text.replace("DIED", f"'{self.folder}/died'"))):
            self.assertEqual(study.work().failed, {})
        self.assertTrue((self.folder / "died").exists())
        self.assertEqual(study.digest(), self.expected.digest())

    def test_kills_at_any_time_leave_the_same_table(self):
        study = self.create(rows=48, rows_per_shard=2)
        slow, seed = self.customize(SLOW), random.randrange(1 << 30)
        random.seed(seed)
        for _ in range(int(os.environ.get("VINCULUM_KILLS", "3"))):
            work = self.start("work", study.folder, env=slow)
            before, end = len(study.plan.present()), time.monotonic() + 60
            while work.poll() is None and len(study.plan.present()) == before and time.monotonic() < end:
                time.sleep(0.002)
            time.sleep(random.random() * 0.02)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(work.pid, signal.SIGKILL)
            work.communicate()
            if study.status().is_complete:
                self.assertEqual(study.digest(), self.expected.digest(), f"seed {seed}")
                for path in random.sample(sorted((study.folder / "shards").glob("*.parquet")), 20):
                    path.unlink()
            self.assertEqual(study.verify(0), [], f"seed {seed}")
        (study.folder / "shards" / ".left.parquet.0.tmp").write_bytes(b"half a file")
        self.assertTrue(study.work().is_complete)
        self.assertEqual(study.digest(), self.expected.digest(), f"seed {seed}")
        self.assertEqual(len(list((study.folder / "shards").iterdir())), 24)

    def test_a_worker_may_end_the_study_while_another_writes(self):
        from vinculum._study_files import discard_leftovers, publish

        study = self.create(rows=48)
        path = study.plan.path_of(0)

        def write(part):
            part.write_bytes(b"mine")
            path.write_bytes(b"equal")
            discard_leftovers(study.folder)

        publish(path, write)
        self.assertEqual(path.read_bytes(), b"equal")
        path.unlink()
        with self.assertRaisesRegex(vn.StudyError, "cannot be written: No such file"):
            publish(path, lambda part: None)

    def test_a_process_of_runs_needs_less_than_300_megabytes(self):
        study = self.create({"m": np.linspace(1, 2, 20_000)}, rows_per_shard=20_000, until=0.1, tolerance=1e-6)
        program = f"""
            import resource, vinculum as vn
            vn.Study.open({str(study.folder)!r}).work()
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)  # in kB
            """
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertLess(int(done.stdout), 300_000)

    def test_an_engine_that_loses_workers_keeps_the_other_shards(self):
        study = self.create(rows=48, rows_per_shard=8)
        with self.assertRaisesRegex(vn.StudyError, "^3 shards were not computed; work again .*: a worker was lost"):
            study.work(Broken())
        self.assertEqual(study.status().shards_done, 3)
        self.assertTrue(study.work().is_complete)
        self.assertEqual(study.digest(), self.expected.digest())

    def test_two_workers_at_once_leave_the_same_table(self):
        study = self.create(rows=48, rows_per_shard=2)
        both = [self.start("work", study.folder, "--workers", "1") for _ in range(2)]
        for one in both:
            out, err = one.communicate(timeout=300)
            self.assertEqual((one.returncode, err), (0, ""))
            self.assertIn("48 of 48 runs", out)
        self.assertEqual(study.digest(), self.expected.digest())

    def test_a_full_disk_is_named_and_leaves_nothing_behind(self):
        study = self.create(rows=48)
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))  # noqa: E731
        status, text = self.ended("work", study.folder, preexec_fn=limit)
        self.assertEqual(status, 1)
        self.assertRegex(text, r"shards were not computed; work again to resume. .*cannot be written: .*File too large")
        self.assertEqual(list((study.folder / "shards").iterdir()), [])
        self.assertEqual(study.work().rows_done, 48)
        self.assertEqual(study.digest(), self.expected.digest())

    def test_a_folder_that_cannot_be_written_is_named(self):
        study = self.create(rows=48)
        program = f"""
            import os, pyarrow.compute, vinculum as vn, vinculum._study, vinculum._study_work
            for path in {str(study.folder)!r}, {str(study.folder)!r} + "/shards":
                os.chmod(path, 0o555)
            if os.geteuid() == 0:
                os.chmod({str(self.folder)!r}, 0o755)
                os.seteuid(65534)  # the permissions of files do not bind the administrator
            study = vn.Study.open({str(study.folder)!r})
            print(study.status())
            for call in study.work, lambda: vn.Study.create(
                {str(self.model)!r}, {{"m": [1.0]}}, {str(study.folder / "inside")!r}, backend="tape"
            ):
                try:
                    call()
                    print("written")
                except vn.StudyError as error:
                    print(error)
            """
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        lines = done.stdout.splitlines()
        self.assertIn("0 of 48 runs", lines[0])
        self.assertEqual(lines[1], f"`{study.folder}/shards` cannot be written: Permission denied")
        self.assertEqual(lines[2], f"`{study.folder}/inside` cannot be written: Permission denied")

    def test_an_interrupted_command_ends_at_once_and_is_resumed(self):
        study = self.create(rows=48, rows_per_shard=2)
        work = self.start("work", study.folder, env=self.customize(SLOW))
        while not study.plan.present() and work.poll() is None:
            time.sleep(0.002)
        os.killpg(work.pid, signal.SIGINT)
        _, err = work.communicate(timeout=60)
        self.assertEqual((work.returncode, err), (130, "interrupted; work again to resume\n"))
        self.assertTrue(study.work().is_complete)
        self.assertEqual(study.digest(), self.expected.digest())


@needs("pyarrow")
class Commands(InAFolder):
    def call(self, *words):
        """Exit status and output of a command, in this process."""
        from vinculum._command import main

        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                status = main(["study", *map(str, words)])
            except SystemExit as end:
                status = end.code
        return status, out.getvalue()

    def test_create_work_and_read_a_study(self):
        design = self.write("design.csv", "m [g],k [N/m]\n1000,50\n2000,50\n3000,40\n")
        study = self.folder / "study"
        status, text = self.call(
            "create", self.model, "--design", design, "-o", study, "--rows-per-shard", 1, "--record", "x",
            "--record", "top=max(F)", "--until", 0.5, "--set", "x0=20 [cm]",
        )  # fmt: skip
        self.assertEqual((status, text), (0, f"{study}: 3 runs in 3 shards\n"))
        self.assertEqual(self.call("status", study), (0, "0 of 3 runs, 0 of 3 shards, failed: none\n"))
        self.assertEqual(self.call("work", study, "--part", "3/3")[1], "1 of 3 runs, 1 of 3 shards, failed: none\n")
        self.assertEqual(self.call("work", study, "--workers", 1)[1], "3 of 3 runs, 3 of 3 shards, failed: none\n")
        self.assertEqual(self.call("verify", study, "--replays", 3), (0, "all files agree\n"))
        self.assertEqual(self.call("collect", study, "-o", self.folder / "all.csv"), (0, ""))
        lines = (self.folder / "all.csv").read_text().splitlines()
        self.assertTrue(lines[0].startswith('"row","m [g]","k [N/m]","x","top","failed"'), lines[0])
        x = float(lines[2].split(",")[3])
        self.assertAlmostEqual(x, 0.2 * math.cos(2.5), places=10)
        status, text = self.call("replay", study, 1, "-o", self.folder / "run")
        self.assertEqual(status, 0)
        self.assertIn(f"x  = {x:22.13g} m", text)
        self.assertTrue((self.folder / "run" / "trajectory.csv").exists())
        self.assertEqual(self.call("loads", study)[0], 1)

    def test_list_loads(self):
        design = self.write("design.csv", "w [rad/s]\n20\n30\n10\n")
        study = self.folder / "study"
        rotor = self.write("rotor.vin", ROTOR)
        self.assertEqual(self.call("create", rotor, "--design", design, "-o", study, "--loads-in", "B")[0], 0)
        self.call("work", study)
        status, text = self.call("loads", study)
        self.assertEqual(status, 0)
        self.assertRegex(text, r"hub +bearing +270 N +1 ")

    def test_say_what_is_wrong(self):
        self.assertEqual(self.call("status", self.folder)[0], 1)
        self.assertIn("is not a study", self.call("work", self.folder)[1])
        self.assertIn("`2-3` is not of the form 2/8", self.call("work", self.folder, "--part", "2-3")[1])
        self.assertEqual(self.call("work")[0], 2)
        study = self.create()
        for part, words in [("0/3", "the first part is 1"), ("4/3", "the last 3")]:
            self.assertIn(words, self.call("work", study.folder, "--part", part)[1])
        self.assertIn("there is no row 24", self.call("replay", study.folder, 24)[1])
        missing = self.call("create", self.folder / "none.vin", "--design", "d.csv", "-o", self.folder / "new")
        self.assertEqual(missing[0], 1)
        self.assertIn("none.vin", missing[1])


class Imports(unittest.TestCase):
    def test_of_the_package_read_neither_pyarrow_nor_studies(self):
        program = "import sys, vinculum; print([one for one in sys.modules if 'pyarrow' in one or 'study' in one])"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "[]\n")

    def test_without_pyarrow_name_the_package(self):
        program = "import sys; sys.modules['pyarrow'] = None\nimport vinculum\nvinculum.Study"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertIn("pip install pyarrow", done.stderr)


if __name__ == "__main__":
    unittest.main()
