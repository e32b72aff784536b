/** Templates by name, of one kind. */

/** What both kinds of templates have. */
export interface ShelvedTemplate {
  readonly template_name: string;
  readonly template_id?: string | undefined;
  readonly version?: string | undefined;
  readonly updated_at?: string | null | undefined;
}

export class TemplateShelf<T extends ShelvedTemplate> {
  readonly #templates = new Map<string, T>();

  all(): T[] {
    return [...this.#templates.values()];
  }

  get(name: string): T | undefined {
    return this.#templates.get(name);
  }

  get total(): number {
    return this.#templates.size;
  }

  /** False where the name is taken. */
  add(template: T): boolean {
    if (this.#templates.has(template.template_name)) return false;
    this.#templates.set(template.template_name, template);
    return true;
  }

  /** The one of that name, or this one; any other version, a lower one too, takes its place. */
  ensure(template: T, now: string): T {
    const known = this.#templates.get(template.template_name);
    if (known !== undefined && known.version === template.version) return known;
    const kept = known === undefined ? template : { ...template, template_id: known.template_id, updated_at: now };
    this.#templates.set(template.template_name, kept);
    return kept;
  }

  delete(name: string): boolean {
    return this.#templates.delete(name);
  }
}
