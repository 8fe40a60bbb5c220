"""Sweeps: from a description over many runs to a front in the store.

    store = open_store()                                # frem_core.store
    spec = SweepSpec.from_toml(text)                    # or built by a form
    sweep = submit(store, spec)                         # queues what is not trained yet
    ensure_engine(store)                                # starts the engine where none runs
    store.sweeps.frame(sweep)                           # how far it is
    load_model(store, run)                              # what a finished run has left

The names are loaded at first use: a look at the state of a sweep does not import torch.
"""

from typing import TYPE_CHECKING

from frem_core.extras import lazy_names

if TYPE_CHECKING:
    from frem_core.datasets import DatasetSpec as DatasetSpec
    from frem_core.sweeps.example import example_sweep as example_sweep
    from frem_core.sweeps.launch import EngineState as EngineState
    from frem_core.sweeps.launch import engine_state as engine_state
    from frem_core.sweeps.launch import ensure_engine as ensure_engine
    from frem_core.sweeps.method_spec import PRESET as PRESET
    from frem_core.sweeps.method_spec import MethodSpec as MethodSpec
    from frem_core.sweeps.outcome import load_model as load_model
    from frem_core.sweeps.outcome import load_predictions as load_predictions
    from frem_core.sweeps.outcome import load_representations as load_representations
    from frem_core.sweeps.protocol import GammaPolicy as GammaPolicy
    from frem_core.sweeps.protocol import SplitSpec as SplitSpec
    from frem_core.sweeps.run_config import RunConfig as RunConfig
    from frem_core.sweeps.spec import SweepSpec as SweepSpec
    from frem_core.sweeps.submission import find_submitted as find_submitted
    from frem_core.sweeps.submission import submit as submit
    from frem_core.sweeps.submission import submit_once as submit_once

_HOMES = {
    "DatasetSpec": "spec",
    "EngineState": "launch",
    "GammaPolicy": "protocol",
    "MethodSpec": "method_spec",
    "PRESET": "method_spec",
    "RunConfig": "run_config",
    "SplitSpec": "protocol",
    "SweepSpec": "spec",
    "engine_state": "launch",
    "ensure_engine": "launch",
    "example_sweep": "example",
    "find_submitted": "submission",
    "load_model": "outcome",
    "load_predictions": "outcome",
    "load_representations": "outcome",
    "submit": "submission",
    "submit_once": "submission",
}

__all__ = [
    "PRESET",
    "DatasetSpec",
    "EngineState",
    "GammaPolicy",
    "MethodSpec",
    "RunConfig",
    "SplitSpec",
    "SweepSpec",
    "engine_state",
    "ensure_engine",
    "example_sweep",
    "find_submitted",
    "load_model",
    "load_predictions",
    "load_representations",
    "submit",
    "submit_once",
]

__getattr__ = lazy_names(__name__, _HOMES)
