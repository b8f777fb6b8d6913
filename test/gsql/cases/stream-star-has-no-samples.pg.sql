select count(*) from stream s join component c on c.key = s.component_key where c.organization_key = 1;
