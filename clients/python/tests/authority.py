"""Certificates for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    """Signs certificates for 127.0.0.1, and writes them as PEM files."""

    def __init__(self, name: str) -> None:
        self._name = _named(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        builder = self._builder(self._name, self._key.public_key())
        self._own = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(
            self._key, hashes.SHA256()
        )

    def write(self, folder: Path, name: str) -> None:
        """Write ca.crt, and a certificate and a key of this name."""
        key = ec.generate_private_key(ec.SECP256R1())
        alternative = x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1")), x509.DNSName(name)])
        leaf = (
            self._builder(_named(name), key.public_key())
            .add_extension(alternative, critical=False)
            .sign(self._key, hashes.SHA256())
        )
        pem = serialization.Encoding.PEM
        (folder / "ca.crt").write_bytes(self._own.public_bytes(pem))
        (folder / f"{name}.crt").write_bytes(leaf.public_bytes(pem))
        (folder / f"{name}.key").write_bytes(
            key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        )

    def _builder(self, subject: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(hours=1))
        )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
