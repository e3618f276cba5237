"""Says how pydicom and GDCM decode DICOM files: one line of JSON a file, with a SHA-256 for each frame.

Frames are little endian, samples of a pixel side by side, in the bits that are allocated; of one bit, a byte a pixel.
"""

import hashlib
import json
import sys
import warnings

import pydicom
from pydicom.pixel_data_handlers import gdcm_handler, numpy_handler, rle_handler

warnings.simplefilter("ignore")
pydicom.config.pixel_data_handlers = [numpy_handler, rle_handler, gdcm_handler]

for path in sys.argv[1:]:
    data = pydicom.dcmread(path)
    try:
        pixels = data.pixel_array
    except Exception as error:  # What the other reader cannot do is no measure.
        print(json.dumps({"path": path, "error": type(error).__name__}))
        continue
    frames = pixels if int(data.get("NumberOfFrames") or 1) > 1 else [pixels]
    plain = [frame.astype(frame.dtype.newbyteorder("<")).tobytes() for frame in frames]
    print(
        json.dumps(
            {
                "path": path,
                "syntax": str(data.file_meta.TransferSyntaxUID),
                "photometric": data.PhotometricInterpretation,
                "frames": [hashlib.sha256(each).hexdigest() for each in plain],
                "bytes": [len(each) for each in plain],
                "first": list(plain[0][:12]),
            }
        )
    )
