// A line to a server that can be cut: at once, or as soon as an answer has said something.

import { connect, createServer, type Server, type Socket } from "node:net";

export class Cutter {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private mark: string | undefined;
  private isDown = false;

  constructor(to: string) {
    const { hostname, port } = new URL(to);
    this.server = createServer((client) => {
      if (this.isDown) return void client.destroy();
      const upstream = connect(Number(port), hostname);
      for (const socket of [client, upstream]) {
        this.sockets.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          this.sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
      }
      client.pipe(upstream);
      upstream.on("data", (data) => {
        client.write(data);
        if (!this.mark || !data.includes(this.mark)) return;
        // What was written must arrive first.
        client.end();
        this.down();
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  /** Cuts the line as soon as the server has sent this. */
  cutAfter(mark: string): void {
    this.mark = mark;
  }

  down(): void {
    this.isDown = true;
    this.mark = undefined;
    setImmediate(() => {
      for (const socket of this.sockets) socket.destroySoon();
    });
  }

  up(): void {
    this.isDown = false;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
