"""The JSON writer: compiled code that writes views as JSON, byte for byte as msgspec would."""
