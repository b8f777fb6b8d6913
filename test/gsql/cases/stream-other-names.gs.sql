SELECT _component_id, _component_name, _id, _name, _folder_path FROM system.stream WHERE _component_uid = cuid AND _uid = uid AND _id = 'temp';
-- ["boiler","The boiler","temp","Temperature","/Components/house"]
