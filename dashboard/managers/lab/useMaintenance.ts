/** What somebody works on, as the lab manager says: in maintenance, not down. */
import { useClock } from '../../base/clock.ts';
import type { MaintenanceSubject } from '../../../api/lab/lab.ts';
import { useLabHistory } from './labQueries.ts';
import { maintenanceWords } from './maintenance.ts';

/** Until when something is in maintenance, in words (`until 16:00`); empty where it isn't. */
type MaintenanceWords = (kind: MaintenanceSubject['kind'], id: string) => string;

export function useMaintenance(): MaintenanceWords {
  const history = useLabHistory();
  const now = useClock();
  return (kind, id) => maintenanceWords(history.data.value?.maintenance, kind, id, now.value);
}
