/*! rule "connect, send, close" for s
  start fresh
  fresh: s = connect()  -> open
  open: send(s, _)      -> open
  open: close(s)        -> closed
  closed: send(s, _)    -> error "sent after the end"
  closed: close(s)      -> error "closed twice"
  open: at exit         -> error "never closed"
*/
struct peer;
struct peer *connect(void);
void send(struct peer *s, int word);
void close(struct peer *s);
int more(void);
int failed(void);

int main(void) {
  struct peer *peer = connect();
  while (more()) {
    if (failed())
      close(peer);
    send(peer, 1);
  }
  close(peer);
  return 0;
}
