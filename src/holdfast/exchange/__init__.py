"""Files of Holdfast and of other programs come in; facts and notes go out, and the bytes of an export."""
