"""A planner in this process: the module setplan.wasm, run by wasmtime."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
from google.rpc import status_pb2
from wasmtime import Config, Engine, Linker, Module, Store, Trap, TrapCode, WasiConfig, WasmtimeError

from setplan import errors
from setplan.v1 import GetServerInfoResponse

_METHODS = {"Plan": 1, "Forecast": 2, "GetServerInfo": 3}
_FRAME = struct.Struct(">BI")
_MEMORY = 512 << 20


class Local:
    """Calls a module, once at a time."""

    def __init__(self, path: str | Path) -> None:
        """Compile the module, or take from wasmtime's cache what an earlier start has compiled."""
        config = Config()
        with suppress(WasmtimeError):  # nowhere to write it: each start compiles
            config.cache = True
        config.epoch_interruption = True  # for deadlines
        self._engine = Engine(config)
        self._linker = Linker(self._engine)
        self._linker.define_wasi()
        try:
            self._module = Module(self._engine, Path(path).read_bytes())
        except WasmtimeError as error:
            raise ValueError(f"{path} cannot be run: {error}") from None
        exports = {"memory", "_initialize", "setplan_input", "setplan_call", "setplan_answer"}
        missing = exports - {export.name for export in self._module.exports}
        if missing:
            raise ValueError(f"{path} is no planner: it does not export {', '.join(sorted(missing))}")
        self._lock = threading.Lock()
        self._instance: _Instance | None = None

    def call(self, method: str, request: bytes, timeout: float) -> Iterator[bytes]:
        """Run a method, and yield the messages of its answer."""
        with self._lock:
            instance, self._instance = self._instance, None  # one that fails is not used again
            timer = threading.Timer(timeout, self._engine.increment_epoch)
            try:
                instance = instance or _Instance(self._engine, self._linker, self._module)
                instance.store.set_epoch_deadline(1)
                timer.start()
                answer = instance.call(_METHODS[method], request)
                self._instance = instance
            except (Trap, WasmtimeError) as error:
                raise _of_trap(error) from None
            finally:
                timer.cancel()
                if timer.is_alive():
                    timer.join()  # or it would end the next call
        at = 0
        while at < len(answer):
            kind, size = _FRAME.unpack_from(answer, at)
            at += _FRAME.size + size
            message = answer[at - size : at]
            if kind:
                raise errors.of_status(status_pb2.Status.FromString(message))
            yield message

    def close(self) -> None:
        """Free the memory."""
        with self._lock:
            self._instance = None


class _Instance:
    def __init__(self, engine: Engine, linker: Linker, module: Module) -> None:
        wasi = WasiConfig()
        wasi.inherit_stderr()  # where Go says why it ends
        self.store = Store(engine)
        self.store.set_wasi(wasi)
        self.store.set_limits(memory_size=_MEMORY)
        self.store.set_epoch_deadline(1 << 32)  # none
        self._exports: Any = linker.instantiate(self.store, module).exports(self.store)
        self._run("_initialize")

    def call(self, method: int, request: bytes) -> bytes:
        at = self._run("setplan_input", len(request))
        if not at:
            info = GetServerInfoResponse.FromString(self.call(_METHODS["GetServerInfo"], b"")[_FRAME.size :])
            raise errors.too_large("request", len(request), info.max_message_bytes)
        self._exports["memory"].write(self.store, request, at)
        size = self._run("setplan_call", method, len(request))
        at = self._run("setplan_answer")
        return bytes(self._exports["memory"].read(self.store, at, at + size))

    def _run(self, export: str, *arguments: int) -> Any:
        return self._exports[export](self.store, *arguments)


def _of_trap(error: Trap | WasmtimeError) -> errors.PlannerError:
    if isinstance(error, Trap) and error.trap_code is TrapCode.INTERRUPT:
        return errors.Unreachable(grpc.StatusCode.DEADLINE_EXCEEDED, "the deadline passed")
    return errors.PlannerError(grpc.StatusCode.INTERNAL, f"the planner ended: {error}")
