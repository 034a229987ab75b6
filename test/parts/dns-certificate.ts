/**
 * A certificate for `localhost` and 127.0.0.1 that vouches for itself, and its key, which guards nothing. Valid from 2024
 * to 2124. Written down here, because a machine that runs the tests need not have openssl.
 */
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBmDCCAT6gAwIBAgIBAjAKBggqhkjOPQQDAjAuMSwwKgYDVQQDDCNQcm9vZmdh
dGUgdGVzdHM6IHRydXN0IHRoaXMgbm93aGVyZTAgFw0yNDAxMDEwMDAwMDBaGA8y
MTI0MDEwMTAwMDAwMFowLjEsMCoGA1UEAwwjUHJvb2ZnYXRlIHRlc3RzOiB0cnVz
dCB0aGlzIG5vd2hlcmUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARcKaaFF9YQ
4NyUc2mIEm72trOFZGPeRYZnXEbEer43n+b1u0riOK1AlUAriuGUro7Y7aqtukBN
gh7dZK+Bbpito0swSTAMBgNVHRMBAf8EAjAAMBoGA1UdEQQTMBGCCWxvY2FsaG9z
dIcEfwAAATAdBgNVHQ4EFgQU6vr68mt+3cwDsUw9g/0ej2fBo2IwCgYIKoZIzj0E
AwIDSAAwRQIhAKlSDHSydYeuwm/FR8hjDyAbRTOLisRYyUYaxaPVrin4AiAt0rq5
7vIhWPwHjmxuDZEPxNP7oU0yhXMITKWoVZANBg==
-----END CERTIFICATE-----
`

export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg45ze6Gs3EvK79N0E
RLodtgf/kF/fD7+K5v64aMvNox6hRANCAARcKaaFF9YQ4NyUc2mIEm72trOFZGPe
RYZnXEbEer43n+b1u0riOK1AlUAriuGUro7Y7aqtukBNgh7dZK+Bbpit
-----END PRIVATE KEY-----
`

/** Until the returned function is called, this process trusts the certificate, as NODE_EXTRA_CA_CERTS would make it. */
export function trustCertificate(): () => void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate])
  return () => setDefaultCACertificates(before)
}
