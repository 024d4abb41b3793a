"""The version of Golden Spike."""

VERSION = "0.1.0"
