from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class ErrorReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERROR_REASON_UNSPECIFIED: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_SNAPSHOT: _ClassVar[ErrorReason]
    ERROR_REASON_UNSUPPORTED_POLICY: _ClassVar[ErrorReason]
    ERROR_REASON_TOO_MANY_PODS: _ClassVar[ErrorReason]
    ERROR_REASON_MESSAGE_TOO_LARGE: _ClassVar[ErrorReason]
    ERROR_REASON_DRAINING: _ClassVar[ErrorReason]
    ERROR_REASON_INTERNAL: _ClassVar[ErrorReason]
    ERROR_REASON_OVERLOADED: _ClassVar[ErrorReason]
    ERROR_REASON_UNKNOWN_CALLER: _ClassVar[ErrorReason]
ERROR_REASON_UNSPECIFIED: ErrorReason
ERROR_REASON_INVALID_SNAPSHOT: ErrorReason
ERROR_REASON_UNSUPPORTED_POLICY: ErrorReason
ERROR_REASON_TOO_MANY_PODS: ErrorReason
ERROR_REASON_MESSAGE_TOO_LARGE: ErrorReason
ERROR_REASON_DRAINING: ErrorReason
ERROR_REASON_INTERNAL: ErrorReason
ERROR_REASON_OVERLOADED: ErrorReason
ERROR_REASON_UNKNOWN_CALLER: ErrorReason
