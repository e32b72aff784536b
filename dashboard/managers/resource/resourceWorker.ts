/**
 * Reads all resources beside the page: tens of thousands are megabytes. What has not changed since the last answer isn't
 * sent again, so that reading it again costs the page nothing.
 */
import { serveReads } from '../transport/worker/serveReads.ts';
import { createResourceReading } from './resourceReading.ts';

serveReads(self, createResourceReading());
