package io.setplan.client;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a key belongs to a certificate. Java finds out with the first handshake, which would be too late: while files are
 * replaced, a new certificate lies beside an old key, and the connection that is there should go on.
 */
final class KeyPairs {
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----", Pattern.DOTALL);

    private KeyPairs() {}

    /** Signs with the key and verifies with the certificate's. IllegalArgumentException: they do not belong together. */
    static void check(PublicKey certified, byte[] pem) {
        byte[] text = {1};
        try {
            PrivateKey key = read(certified.getAlgorithm(), pem);
            Signature signature = Signature.getInstance(scheme(certified.getAlgorithm()));
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(text);
            if (!signature.verify(signed)) {
                throw new IllegalArgumentException("the key is not the certificate's");
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the key is not the certificate's: " + e.getMessage(), e);
        }
    }

    private static PrivateKey read(String algorithm, byte[] pem) throws GeneralSecurityException {
        Matcher found = PEM.matcher(new String(pem, StandardCharsets.US_ASCII));
        if (!found.find()) {
            throw new IllegalArgumentException("the key file holds no key in PKCS #8");
        }
        byte[] key = Base64.getMimeDecoder().decode(found.group(1));
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(key));
    }

    private static String scheme(String algorithm) {
        return switch (algorithm) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> algorithm; // such as Ed25519, whose keys sign in one way only
        };
    }
}
