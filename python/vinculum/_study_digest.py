"""A hash of the content of a table, whatever its files, chunks and versions of pyarrow."""

import hashlib

import pyarrow
import pyarrow.compute


def digest(table):
    """SHA-256 of the titles, types and values of a table."""
    content = hashlib.sha256()
    for title in sorted(table.column_names):
        column = table[title].combine_chunks()
        content.update(title.encode() + b"\0" + str(column.type).encode() + b"\0")
        _add(content, column)
    return content.hexdigest()


def _add(content, column):
    content.update(column.is_valid().to_numpy(zero_copy_only=False).tobytes())
    if pyarrow.types.is_list(column.type):
        lengths = column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
        content.update(lengths.astype("<i8").tobytes())
        _add(content, column.flatten())
    elif pyarrow.types.is_string(column.type):
        lengths = pyarrow.compute.binary_length(column.fill_null(""))
        content.update(lengths.to_numpy(zero_copy_only=False).astype("<i8").tobytes())
        content.update("".join(column.filter(pyarrow.compute.greater(lengths, 0)).to_pylist()).encode())
    else:
        content.update(column.fill_null(0).to_numpy(zero_copy_only=False).astype("<f8").tobytes())
