// Few requests at a time; next is what someone would look at next.

interface Job {
  run(): Promise<void>;
  /** How far it is from being looked at; nothing when nobody wants it any more. */
  rank(): number | undefined;
}

export class Queue {
  private jobs: Job[] = [];
  private running = 0;
  constructor(private readonly most: number) {}

  add(job: Job): void {
    this.jobs.push(job);
    // After all who came at the same time, so that there is something to choose from.
    queueMicrotask(() => this.next());
  }

  private next(): void {
    while (this.running < this.most && this.jobs.length > 0) {
      const ranked = this.jobs
        .map((job) => ({ job, rank: job.rank() }))
        .filter((one): one is { job: Job; rank: number } => one.rank !== undefined)
        .sort((a, b) => a.rank - b.rank);
      this.jobs = ranked.slice(1).map((one) => one.job);
      const first = ranked[0];
      if (!first) return;
      this.running++;
      first.job.run().finally(() => {
        this.running--;
        this.next();
      });
    }
  }
}
