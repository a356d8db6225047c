"""Write a BERT encoder as an ONNX graph from its weights, without torch or an exporter.

The graph takes `input_ids` and `attention_mask` (int64, batch x tokens) and returns
`last_hidden_state` (float32, batch x tokens x hidden), one state per token, so that pooled and
token vectors come from the same pass. Without a word table among the weights it takes the vectors
of the words (`words`, float32, batch x tokens x hidden) in place of their ids. The three
projections of attention are one matrix, as one large product is cheaper than three. Reads
`model.safetensors` itself: a length, a JSON header and raw numbers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from furoshiki.core.arrays import Floats

if TYPE_CHECKING:
    from onnx import NodeProto, TensorProto

OPSET = 20  # the first opset with a Gelu operator

# added to the attention score of padding: vanishes in the softmax, safe in any precision
MASKED = -1e4

# largest int8 weight: seven bits, as x86 without VNNI adds two products in 16 bits
WEIGHT_MOST = 63

WORDS = "embeddings.word_embeddings.weight"  # BERT's name of the word table

Weights = dict[str, Floats]


def read_weights(path: Path) -> Weights:
    """Return the float32 tensors of a safetensors file, as views into a memory map."""
    raw = np.memmap(path, dtype=np.uint8, mode="r")
    length = int.from_bytes(raw[:8].tobytes(), "little")
    header = json.loads(raw[8 : 8 + length].tobytes())
    body = raw[8 + length :]
    weights: Weights = {}
    for name, about in header.items():
        if name == "__metadata__" or about["dtype"] != "F32":
            continue
        start, end = about["data_offsets"]
        weights[name] = body[start:end].view(np.float32).reshape(about["shape"])
    return weights


def build(folder: Path, target: Path, *, int8: bool) -> None:
    """Write the encoder in `folder` (config.json, model.safetensors) to `target` as ONNX.

    With `int8` every matrix is stored as int8, the word table with one scale per word, the others
    with one per output; activations are quantised at run time (dynamic quantisation).
    """
    write(
        json.loads((folder / "config.json").read_text()), read_weights(folder / "model.safetensors"), target, int8=int8
    )


def write(config: Mapping[str, Any], weights: Weights, target: Path, *, int8: bool) -> None:
    """Write the encoder of these weights to `target`."""
    import onnx

    graph = _Graph(config, weights, int8)
    graph.embed()
    for layer in range(config["num_hidden_layers"]):
        graph.attend(f"encoder.layer.{layer}")
        graph.feed_forward(f"encoder.layer.{layer}")
    onnx.save(graph.model(), str(target))


class _Graph:
    """A graph under construction; `at` names the value that the next layer reads."""

    def __init__(self, config: Mapping[str, Any], weights: Weights, int8: bool) -> None:
        self.config = config
        self.weights = weights
        self.int8 = int8
        self.reads = "input_ids" if WORDS in weights else "words"
        self.heads = int(config["num_attention_heads"])
        self.hidden = int(config["hidden_size"])
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self.at = ""

    def embed(self) -> None:
        """Add word, position and segment vectors, normalised, and the attention mask."""
        zero = self._constant("zero", np.array(0, np.int64))
        one = self._constant("one", np.array(1, np.int64))
        words = self.weights.get(WORDS)
        if words is None:
            word = self.reads
        elif self.int8:
            rounded, scale = _quantize(words, axis=1, most=127)
            rough = self._node("Gather", [self._constant("words", rounded), "input_ids"])
            by = self._node("Gather", [self._constant("word_scales", scale), "input_ids"])
            word = self._node("Mul", [self._node("Cast", [rough], to=1), by])
        else:
            word = self._node("Gather", [self._constant("words", words), "input_ids"])
        places = self.weights["embeddings.position_embeddings.weight"]
        segment = self.weights["embeddings.token_type_embeddings.weight"][0]
        place_table = self._constant("places", places + segment)
        length = self._node("Gather", [self._node("Shape", [self.reads]), one])
        place = self._node("Gather", [place_table, self._node("Range", [zero, length, one])])
        self.at = self._normalise(self._node("Add", [word, place]), "embeddings.LayerNorm")
        mask = self._node("Cast", ["attention_mask"], to=1)
        absent = self._node("Sub", [self._constant("present", np.float32(1)), mask])
        axes = self._constant("mask_axes", np.array([1, 2], np.int64))
        scaled = self._node("Mul", [absent, self._constant("masked", np.float32(MASKED))])
        self.mask = self._node("Unsqueeze", [scaled, axes])

    def attend(self, layer: str) -> None:
        """Add multi-head self-attention with its residual."""
        names = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        # 1/sqrt(head size) is multiplied into the query's weights once instead of into every score.
        shrink = [1 / math.sqrt(self.hidden // self.heads), 1.0, 1.0]
        weight = np.concatenate(
            [self.weights[f"{name}.weight"].T * by for name, by in zip(names, shrink, strict=True)], axis=1
        )
        bias = np.concatenate([self.weights[f"{name}.bias"] * by for name, by in zip(names, shrink, strict=True)])
        joined = self._linear(self.at, f"{layer}.qkv", weight, bias)
        shape = self._constant("heads", np.array([0, 0, 3 * self.heads, self.hidden // self.heads], np.int64))
        split = self._node("Transpose", [self._node("Reshape", [joined, shape])], perm=[0, 2, 1, 3])
        query, key, value = self._nodes("Split", [split], 3, axis=1, num_outputs=3)
        scores = self._node("MatMul", [query, self._node("Transpose", [key], perm=[0, 1, 3, 2])])
        shares = self._node("Softmax", [self._node("Add", [scores, self.mask])], axis=-1)
        heard = self._node("Transpose", [self._node("MatMul", [shares, value])], perm=[0, 2, 1, 3])
        flat = self._constant("flat", np.array([0, 0, self.hidden], np.int64))
        self._residual(self._node("Reshape", [heard, flat]), f"{layer}.attention.output")

    def feed_forward(self, layer: str) -> None:
        """Add the two dense layers around a Gelu, with their residual."""
        name = f"{layer}.intermediate.dense"
        wide = self._linear(self.at, name, self.weights[f"{name}.weight"].T, self.weights[f"{name}.bias"])
        self._residual(self._node("Gelu", [wide]), f"{layer}.output")

    def model(self) -> Any:
        """Return the finished model; its output is the value written last."""
        from onnx import TensorProto, helper

        mask = helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "tokens"])
        if self.reads == "input_ids":
            words = helper.make_tensor_value_info(self.reads, TensorProto.INT64, ["batch", "tokens"])
        else:
            words = helper.make_tensor_value_info(self.reads, TensorProto.FLOAT, ["batch", "tokens", self.hidden])
        self.nodes[-1].output[0] = "last_hidden_state"
        output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", self.hidden])
        graph = helper.make_graph(self.nodes, "encoder", [words, mask], [output], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
        model.ir_version = 9
        return model

    def _residual(self, value: str, name: str) -> None:
        weight, bias = self.weights[f"{name}.dense.weight"].T, self.weights[f"{name}.dense.bias"]
        dense = self._linear(value, f"{name}.dense", weight, bias)
        self.at = self._normalise(self._node("Add", [dense, self.at]), f"{name}.LayerNorm")

    def _linear(self, value: str, name: str, weight: Floats, bias: Floats) -> str:
        if self.int8:
            product = self._int8_product(value, name, weight)
        else:
            product = self._node("MatMul", [value, self._constant(f"{name}.weight", weight)])
        return self._node("Add", [product, self._constant(f"{name}.bias", bias)])

    def _int8_product(self, value: str, name: str, weight: Floats) -> str:
        rounded, scale = _quantize(weight, axis=0, most=WEIGHT_MOST)
        input_int8, seen_scale, seen_zero = self._nodes("DynamicQuantizeLinear", [value], 3)
        kept = self._constant(f"{name}.weight", rounded)
        whole = self._node("MatMulInteger", [input_int8, kept, seen_zero])
        by = self._node("Mul", [seen_scale, self._constant(f"{name}.scale", scale[0])])
        return self._node("Mul", [self._node("Cast", [whole], to=1), by])

    def _normalise(self, value: str, name: str) -> str:
        scale = self._constant(f"{name}.weight", self.weights[f"{name}.weight"])
        shift = self._constant(f"{name}.bias", self.weights[f"{name}.bias"])
        epsilon = float(self.config["layer_norm_eps"])
        return self._node("LayerNormalization", [value, scale, shift], axis=-1, epsilon=epsilon)

    def _constant(self, name: str, value: npt.ArrayLike) -> str:
        from onnx import numpy_helper

        if all(known.name != name for known in self.constants):
            array = np.asarray(value)
            values = array.astype(np.float32) if array.dtype == np.float64 else array
            self.constants.append(numpy_helper.from_array(np.asarray(values, order="C"), name))
        return name

    def _node(self, kind: str, inputs: Sequence[str], **attributes: Any) -> str:
        return self._nodes(kind, inputs, 1, **attributes)[0]

    def _nodes(self, kind: str, inputs: Sequence[str], outputs: int, **attributes: Any) -> list[str]:
        from onnx import helper

        number = len(self.nodes)
        names = [f"{kind}_{number}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=f"{kind}_{number}", **attributes))
        return names


def _quantize(matrix: Floats, axis: int, most: int) -> tuple[npt.NDArray[np.int8], Floats]:
    scale = np.maximum(np.abs(matrix).max(axis=axis, keepdims=True), 1e-12) / most
    return np.rint(matrix / scale).astype(np.int8), scale.astype(np.float32)
