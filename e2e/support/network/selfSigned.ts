/**
 * A self-signed certificate for localhost with its key, only for tests of TLS errors: it protects nothing. Created by
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost`.
 */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9i4MfmpR9HxsKLC1
IAC6i5CvVp5MEqjq9MEc1Kd9dhChRANCAATqzx491Mh9IIEi3KYD0+qVZENFNq6Q
uUD+Ih8mM20LUgD21ilcJFvkH+bqsH6OWxlSQ7XVV2GdyWp7ksYgyQ4r
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUd/bxFsCBaqKBrPVt5z5uKB5sKIEwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA5MTE1MVoYDzIxMjYxMDI4
MDkxMTUxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATqzx491Mh9IIEi3KYD0+qVZENFNq6QuUD+Ih8mM20LUgD21ilcJFvk
H+bqsH6OWxlSQ7XVV2GdyWp7ksYgyQ4ro28wbTAdBgNVHQ4EFgQUUXCW1cKKVsGg
OzZc3kValjcp0p0wHwYDVR0jBBgwFoAUUXCW1cKKVsGgOzZc3kValjcp0p0wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAKfLjeFgSnR93wgfqS6P7BvY9BXGE+46+le8gWhMt1iZAiAj
W1HiNxmLAq5cWcWIVdy4TJf34OFfiQSWcNELfa9dKA==
-----END CERTIFICATE-----
`,
} as const;
