use std::{fs, path::PathBuf, sync::Arc, time::Instant};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring::default_provider,
        pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject as _},
        version::{TLS12, TLS13},
    },
};

use super::{WebConfig, auth::Verdict};
use crate::daemon::tests::{Answer, Running, ask, observed, send_over, start_with};

const GET: &str = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// A folder with a certificate for localhost, its key, and a web configuration.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("cert.pem"), made.cert.pem()).unwrap();
        let key = made.signing_key.serialize_pem();
        fs::write(folder.path().join("key.pem"), key).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, text: &str) -> Result<WebConfig, String> {
        let path = self.path("web.yml");
        fs::write(&path, text).unwrap();
        WebConfig::read(&path).map_err(|error| error.to_string())
    }

    /// What a client sees of `running`, with this folder's certificate as its only root, or as its
    /// own too.
    async fn get(&self, running: &Running, shows_its_own: bool) -> std::io::Result<Answer> {
        let mut roots = RootCertStore::empty();
        let cert = CertificateDer::from_pem_file(self.path("cert.pem")).unwrap();
        roots.add(cert.clone()).unwrap();
        let client = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_protocol_versions(&[&TLS12, &TLS13])
            .unwrap()
            .with_root_certificates(roots);
        let client = if shows_its_own {
            let key = PrivateKeyDer::from_pem_file(self.path("key.pem")).unwrap();
            client.with_client_auth_cert(vec![cert], key).unwrap()
        } else {
            client.with_no_client_auth()
        };
        let stream = TcpStream::connect(running.address).await?;
        let name = ServerName::try_from("localhost").unwrap();
        let stream = TlsConnector::from(Arc::new(client))
            .connect(name, stream)
            .await?;
        Ok(send_over(stream, GET).await)
    }
}

const TLS: &str = "tls_server_config:\n  cert_file: cert.pem\n  key_file: key.pem\n";

/// A cheap hash of `secret`.
fn users() -> String {
    let hash = bcrypt::hash("secret", 4).unwrap();
    format!("basic_auth_users:\n  prom: {hash}\n")
}

fn basic(credentials: &str) -> String {
    format!("Authorization: Basic {}\r\n", STANDARD.encode(credentials))
}

fn running(web: WebConfig) -> Running {
    let running = start_with(web);
    running.publisher.publish(observed(1));
    running
}

#[test]
fn a_file_that_asks_for_nothing_is_fine() {
    let folder = Folder::new();
    for text in [
        "",
        "# nothing\n",
        "{}",
        "tls_server_config:\nbasic_auth_users:\n",
    ] {
        let web = folder.read(text).unwrap();
        assert!(web.tls.is_none() && web.users.is_none(), "{text}");
    }
    let web = folder.read(&format!("{TLS}{}", users())).unwrap();
    assert!(web.tls.is_some() && web.users.is_some());
}

#[test]
fn what_would_not_be_done_is_refused_and_named() {
    let folder = Folder::new();
    let tls = |line: &str| format!("{TLS}  {line}\n");
    for (text, words) in [
        ("tls_config: {}\n".to_owned(), "tls_config"),
        (
            tls("cipher_suites: [TLS_AES_128_GCM_SHA256]"),
            "cipher_suites",
        ),
        (
            "http_server_config: {http2: true}\n".to_owned(),
            "http_server_config",
        ),
        ("a: [".to_owned(), "web.yml"),
        (
            "tls_server_config: {cert_file: cert.pem}".to_owned(),
            "key_file is missing",
        ),
        (
            "tls_server_config: {key_file: key.pem}".to_owned(),
            "cert_file is missing",
        ),
        (TLS.replace("cert.pem", "no.pem"), "no.pem"),
        (TLS.replace("cert.pem", "key.pem"), "no certificate"),
        (TLS.replace("key.pem", "cert.pem"), "cert.pem"),
        (tls("min_version: TLS10"), "TLS10"),
        (
            tls("min_version: TLS13\n  max_version: TLS12"),
            "min_version is above",
        ),
        (
            tls("client_auth_type: RequestClientCert"),
            "RequestClientCert",
        ),
        (
            tls("client_auth_type: RequireAndVerifyClientCert"),
            "needs a client_ca_file",
        ),
        (
            tls("client_ca_file: cert.pem"),
            "of no use without client_auth_type",
        ),
        (
            "basic_auth_users: {prom: secret}".to_owned(),
            "\"prom\" is no bcrypt hash",
        ),
    ] {
        let error = folder.read(&text).err().unwrap_or_default();
        assert!(error.contains(words), "{text}: {error}");
        assert!(!error.contains("secret"), "no password in {error}");
    }
    let error = WebConfig::read(&folder.path("none.yml")).err().unwrap();
    assert!(error.to_string().contains("none.yml"), "{error}");
}

#[tokio::test]
async fn only_the_right_password_is_let_in() {
    let running = running(Folder::new().read(&users()).unwrap());
    for (headers, status) in [
        (String::new(), 401),
        (basic("prom:secret"), 200),
        (basic("prom:secre"), 401),
        (basic("prom:"), 401),
        (basic("other:secret"), 401),
        (basic("prom"), 401),
        ("Authorization: Bearer secret\r\n".into(), 401),
        ("Authorization: Basic !\r\n".into(), 401),
    ] {
        for path in ["/metrics", "/", "/healthz", "/nothing"] {
            let answer = ask(running.address, path, &headers).await;
            let expected = if status == 200 && path == "/nothing" {
                404
            } else {
                status
            };
            assert_eq!(answer.status, expected, "{headers} {path}");
            if status == 401 {
                assert!(answer.head.contains("www-authenticate: basic realm="));
            }
        }
    }
}

#[tokio::test]
async fn a_right_password_is_remembered_and_a_wrong_one_is_not() {
    let hash = bcrypt::hash("secret", 10).unwrap();
    let web = Folder::new().read(&format!("basic_auth_users: {{prom: {hash}}}"));
    let users = web.unwrap().users.unwrap();
    let began = Instant::now();
    assert_eq!(users.judge("prom", "secret").await, Verdict::Allowed);
    let first = began.elapsed();
    let began = Instant::now();
    for _ in 0..100 {
        assert_eq!(users.judge("prom", "secret").await, Verdict::Allowed);
    }
    assert!(began.elapsed() < first, "{:?}, {first:?}", began.elapsed());
    assert_eq!(users.judge("prom", "Secret").await, Verdict::Refused);
    assert_eq!(users.judge("other", "secret").await, Verdict::Refused);
}

#[tokio::test]
async fn a_flood_of_wrong_passwords_keeps_nobody_out_who_is_known() {
    let hash = bcrypt::hash("secret", 10).unwrap();
    let web = Folder::new().read(&format!("basic_auth_users: {{prom: {hash}}}"));
    let users = web.unwrap().users.unwrap();
    assert_eq!(users.judge("prom", "secret").await, Verdict::Allowed);
    let flood: Vec<_> = (0..40)
        .map(|number| {
            let users = Arc::clone(&users);
            tokio::spawn(async move { users.judge("prom", &number.to_string()).await })
        })
        .collect();
    tokio::task::yield_now().await;
    assert_eq!(users.judge("prom", "secret").await, Verdict::Allowed);
    let mut busy = 0;
    for one in flood {
        match one.await.unwrap() {
            Verdict::Busy => busy += 1,
            verdict => assert_eq!(verdict, Verdict::Refused),
        }
    }
    assert!(busy >= 20, "{busy} of 40 were sent away at once");
}

#[tokio::test]
async fn tls_and_nothing_else() {
    let folder = Folder::new();
    let running = running(folder.read(TLS).unwrap());
    let answer = folder.get(&running, false).await.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.head);
    assert_eq!(
        ask(running.address, "/metrics", "").await.status,
        0,
        "plain HTTP"
    );
    assert!(
        Folder::new().get(&running, false).await.is_err(),
        "another root"
    );
    // A client that never shakes hands.
    let silent = TcpStream::connect(running.address).await.unwrap();
    assert_eq!(folder.get(&running, false).await.unwrap().status, 200);
    drop(running.publisher);
    drop(silent);
}

#[tokio::test]
async fn certificates_of_clients_are_checked() {
    let folder = Folder::new();
    let ask_for = |kind: &str| {
        let text = format!("{TLS}  client_ca_file: cert.pem\n  client_auth_type: {kind}\n");
        running(folder.read(&text).unwrap())
    };
    let status = async |running: &Running, shows_its_own| {
        let answer = folder.get(running, shows_its_own).await;
        answer.map_or(0, |answer| answer.status)
    };
    let required = ask_for("RequireAndVerifyClientCert");
    assert_eq!(status(&required, true).await, 200);
    assert_eq!(status(&required, false).await, 0);
    let optional = ask_for("VerifyClientCertIfGiven");
    assert_eq!(status(&optional, true).await, 200);
    assert_eq!(status(&optional, false).await, 200);
}
